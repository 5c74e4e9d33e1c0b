//! What can't be reached, and what a program still needs.

use std::fs;
use std::os::unix::net::UnixListener;

use crate::support::{called, confined, printed, tried};

const DENIED: &str = "PermissionError";

#[test]
fn there_are_no_sockets() {
    for family in ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET"] {
        assert_eq!(tried(&format!("socket.socket(socket.{family}, socket.SOCK_DGRAM)")), DENIED, "{family}");
        assert_eq!(tried(&format!("socket.socket(socket.{family})")), DENIED, "{family}");
    }
    // Datagrams of a pair could be sent to any address.
    assert_eq!(tried("socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)"), DENIED);
    assert_eq!(tried("socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)"), DENIED);
}

#[test]
fn a_pair_of_sockets_reaches_no_one_else() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("listens");
    let _listens = UnixListener::bind(&named).unwrap();
    for address in [named.to_str().unwrap(), "\\0inklings-confine-test"] {
        assert_eq!(tried(&format!("socket.socketpair()[0].connect('{address}')")), DENIED, "{address}");
        assert_eq!(tried(&format!("socket.socketpair()[0].bind('{address}')")), DENIED, "{address}");
    }
    assert_eq!(tried(&format!("socket.socketpair()[0].sendto(b'x', '{}')", named.display())), DENIED);
    assert_eq!(tried("socket.socketpair()[0].listen()"), DENIED);
}

#[test]
fn no_other_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.md");
    fs::write(&file, "private").unwrap();
    assert_eq!(tried(&format!("open({file:?})")), DENIED);
    assert_eq!(tried(&format!("os.listdir({:?})", folder.path())), DENIED);
    for secret in ["/etc/passwd", "/proc/self/environ", "/proc/1/cmdline", "/dev/tty"] {
        assert_eq!(tried(&format!("open({secret:?})")), DENIED, "{secret}");
    }
    assert_eq!(tried("os.listdir('/')"), DENIED);
    // Read by the launcher's own right, so the file is one that can be read.
    let allowed = printed(&mut reading(&file));
    assert_eq!(allowed, "private");
}

/// A Python that prints a file it was allowed to read.
fn reading(file: &std::path::Path) -> std::process::Command {
    let plain = confined(&format!("print(open('{}').read())", file.display()));
    let mut command = std::process::Command::new(plain.get_program());
    command.arg("--allow").arg(file).args(plain.get_args());
    command
}

#[test]
fn nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.md");
    fs::write(&file, "as it was").unwrap();
    // Also where it may read.
    let (folder, allowed) = (folder.path().to_str().unwrap(), crate::support::PYTHON.1.to_str().unwrap());
    for place in [folder, allowed, "/dev/shm", "/tmp"] {
        assert_eq!(tried(&format!("open('{place}/inklings-confine-test', 'w')")), DENIED, "{place}");
        assert_eq!(tried(&format!("os.mkdir('{place}/inklings-confine-test')")), DENIED, "{place}");
    }
    for how in ["os.O_WRONLY", "os.O_RDWR", "os.O_CREAT", "os.O_TRUNC", "os.O_APPEND | os.O_WRONLY", "os.O_TMPFILE | os.O_RDWR"] {
        assert_eq!(tried(&format!("os.open({file:?}, {how})")), DENIED, "{how}");
    }
    for change in ["os.unlink", "os.truncate", "os.chmod", "os.utime"] {
        let more = match change {
            "os.truncate" | "os.chmod" => ", 0",
            _ => "",
        };
        assert_eq!(tried(&format!("{change}({file:?}{more})")), DENIED, "{change}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "as it was");
    assert_eq!(called(libc::SYS_memfd_create, "b'x', 0"), "EPERM");
}

#[test]
fn there_is_no_environment() {
    let mut command = confined("import os; print(dict(os.environ))");
    assert_eq!(
        printed(command.env("OPENAI_API_KEY", "secret").env("LD_LIBRARY_PATH", "/tmp").env("PYTHONHOME", "/tmp")),
        "{'LANG': 'C.UTF-8'}"
    );
}

#[test]
fn what_the_app_has_open_stays_with_it() {
    // A duplicate lacks the mark that would close it by itself.
    let inherited = rustix::io::dup(tempfile::tempfile().unwrap()).unwrap();
    let script = "
import os
def is_open(number):
    try:
        return bool(os.fstat(number))
    except OSError:
        return False
print([number for number in range(3, 256) if is_open(number)])";
    assert_eq!(printed(&mut confined(script)), "[]", "{inherited:?}");
}

#[test]
fn there_are_no_other_processes() {
    assert_eq!(tried("os.fork()"), DENIED);
    assert_eq!(tried("subprocess.run([sys.executable, '-V'])"), DENIED);
    assert_eq!(tried("os.posix_spawn(sys.executable, [sys.executable, '-V'], {})"), DENIED);
    assert_eq!(called(libc::SYS_vfork, "0"), "EPERM");
    // Its arguments are in memory, where no filter can see them.
    assert_eq!(called(libc::SYS_clone3, "0, 0"), "ENOSYS");
    assert_eq!(tried("os.kill(os.getppid(), 0)"), DENIED);
    assert_eq!(tried("os.kill(1, signal.SIGTERM)"), DENIED);
    assert_eq!(tried("os.killpg(0, 0)"), DENIED);
    for (call, arguments) in [
        (libc::SYS_ptrace, "16, 1, 0, 0"),
        (libc::SYS_process_vm_readv, "1, 0, 0, 0, 0, 0"),
        (libc::SYS_process_vm_writev, "1, 0, 0, 0, 0, 0"),
        (libc::SYS_tkill, "1, 0"),
        (libc::SYS_rt_sigqueueinfo, "1, 0, 0"),
        (libc::SYS_setpriority, "0, 1, 0"),
    ] {
        assert_eq!(called(call, arguments), "EPERM", "{call}");
    }
    assert_eq!(called(libc::SYS_pidfd_open, "1, 0"), "ENOSYS");
}

#[test]
fn it_has_no_other_way_out() {
    for call in [
        libc::SYS_mount,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_chroot,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_init_module,
        libc::SYS_personality,
        libc::SYS_setsid,
        libc::SYS_setuid,
        libc::SYS_seccomp,
        libc::SYS_shmget,
        libc::SYS_mq_open,
        libc::SYS_inotify_init1,
        libc::SYS_symlinkat,
        libc::SYS_renameat2,
        libc::SYS_execveat,
    ] {
        assert_eq!(called(call, "0, 0, 0, 0, 0"), "EPERM", "{call}");
    }
    for call in
        [libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_openat2, libc::SYS_open_tree, libc::SYS_landlock_create_ruleset]
    {
        assert_eq!(called(call, "0, 0, 0, 0, 0"), "ENOSYS", "{call}");
    }
    // The same calls under the other numbers that this machine knows.
    #[cfg(target_arch = "x86_64")]
    assert_eq!(called(0x4000_0000 | libc::SYS_socket, "1, 1, 0"), "EPERM");
    // It stays tied to its parent, and may not become another program of the system.
    assert_eq!(called(libc::SYS_prctl, "1, 0, 0, 0, 0"), "EPERM");
    assert_eq!(tried("os.execv('/bin/true', ['true'])"), DENIED);
    assert_eq!(called(libc::SYS_prlimit64, "0, 4, (ctypes.c_ulong * 2)(), 0"), "EPERM");
}

#[test]
fn limits_and_marks_are_set() {
    let script = "import resource
print([resource.getrlimit(one) for one in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_DATA)])";
    assert_eq!(printed(&mut confined(script)), "[(0, 0), (0, 0), (256, 256), (2147483648, 2147483648)]");
    assert_eq!(tried("bytearray(3 << 30)"), "MemoryError");
    let mut child = confined("import sys; print(1, flush=True); sys.stdin.read()")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut first).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(child.stdin.take());
    child.wait().unwrap();
    assert!(status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"), "{status}");
}

#[test]
fn what_a_program_needs_works() {
    assert_eq!(tried("assert os.listdir(sys.base_prefix + '/lib')"), "fine");
    assert_eq!(tried("[one.start() or one.join() for one in [threading.Thread(target=print) for _ in range(8)]]").trim(), "fine");
    assert_eq!(tried("asyncio.run(asyncio.sleep(0))"), "fine");
    assert_eq!(tried("a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'"), "fine");
    assert_eq!(tried("assert len(os.urandom(8) + open('/dev/urandom', 'rb').read(8)) == 16"), "fine");
    assert_eq!(tried("os.kill(os.getpid(), 0); assert resource.getrlimit(resource.RLIMIT_CORE)"), "fine");
    assert_eq!(tried("import ssl, json, uuid, tempfile, time; time.localtime(); uuid.uuid4()"), "fine");
}
