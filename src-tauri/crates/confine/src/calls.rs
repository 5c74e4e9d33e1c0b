//! Limits system calls with seccomp to those that an interpreter with threads and pipes needs.
//!
//! Everything else fails with `EPERM`, so the program can't open a socket, write a file or start a process, whether or not the kernel
//! has Landlock. To allow one more, add it to [`UNRESTRICTED`], or to [`restricted`] if only some of its arguments are harmless.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{Eq, MaskedEq};
use seccompiler::{
    BackendError, BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// Harmless with any arguments; files are limited by Landlock.
const UNRESTRICTED: &[c_long] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mincore,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    // Open files.
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_fadvise64,
    libc::SYS_fstat,
    libc::SYS_getdents64,
    libc::SYS_lseek,
    libc::SYS_pread64,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    // Names of files.
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getcwd,
    // A frozen Python reads the capabilities of its own file.
    libc::SYS_getxattr,
    libc::SYS_newfstatat,
    libc::SYS_readlinkat,
    libc::SYS_statx,
    // Waiting.
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_eventfd2,
    libc::SYS_futex,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_restart_syscall,
    // Itself and its threads.
    libc::SYS_execve,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_getcpu,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getpgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_sigaltstack,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    // A pair of sockets, see below.
    libc::SYS_getpeername,
    libc::SYS_getsockname,
    libc::SYS_getsockopt,
    libc::SYS_recvfrom,
    libc::SYS_shutdown,
];

/// Calls that newer architectures don't have.
#[cfg(target_arch = "x86_64")]
const LEGACY: &[c_long] = &[
    libc::SYS_access,
    libc::SYS_arch_prctl,
    libc::SYS_dup2,
    libc::SYS_epoll_wait,
    libc::SYS_getpgrp,
    libc::SYS_lstat,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_select,
    libc::SYS_stat,
    libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const LEGACY: &[c_long] = &[];

/// The newest call that was reviewed for these lists, and an upper bound for calls of future kernels.
const NEWER_CALLS: (c_long, c_long) = (libc::SYS_rseq, 600);

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Limits all threads to the calls above. It can't be undone, also not by executing another program.
pub(crate) fn confine() -> Result<(), Error> {
    let mut allowed = restricted()?;
    allowed.extend(UNRESTRICTED.iter().chain(LEGACY).map(|call| (*call, Vec::new())));
    // A C library tries newer calls first and falls back only on `ENOSYS`. `clone3` is one of them, whose arguments
    // a filter can't inspect. A separate first filter returns `ENOSYS` for newer calls, and the second one
    // allows them, since the stricter result of both filters applies.
    let newer = (NEWER_CALLS.0 + 1..=NEWER_CALLS.1).filter(|call| !allowed.contains_key(call));
    let newer: Rules = newer.map(|call| (call, Vec::new())).collect();
    allowed.extend(newer.clone());
    let unknown = compile(newer, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS.unsigned_abs()))?;
    let known = compile(allowed, SeccompAction::Errno(libc::EPERM.unsigned_abs()), SeccompAction::Allow)?;
    seccompiler::apply_filter(&unknown)?;
    seccompiler::apply_filter(&known)
}

/// Calls that are allowed with some arguments only.
fn restricted() -> Result<Rules, BackendError> {
    let own = u64::from(std::process::id());
    let socket = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    let mut rules = Rules::from([
        // Opening for reading; Landlock decides which files.
        (libc::SYS_openat, vec![without(2, WRITE_FLAGS)?]),
        // Threads, but no processes and no namespaces.
        (libc::SYS_clone, vec![only(0, CLONE_FLAGS, bits(libc::CLONE_THREAD))?]),
        // Signals to itself.
        (libc::SYS_kill, vec![equal(0, own)?]),
        (libc::SYS_tgkill, vec![equal(0, own)?]),
        // Reading its own limits.
        (libc::SYS_prlimit64, vec![rule(vec![(0, Dword, Eq, 0), (2, Qword, Eq, 0)])?]),
        // Names of threads and memory, but not PR_SET_PDEATHSIG.
        (libc::SYS_prctl, each(0, &[libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_SET_VMA])?),
        (libc::SYS_fcntl, each(1, &[libc::F_DUPFD, libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_SETFL])?),
        (
            libc::SYS_ioctl,
            [libc::FIOCLEX, libc::FIONCLEX, libc::FIONBIO, libc::FIONREAD, libc::TCGETS, libc::TIOCGWINSZ]
                .into_iter()
                .map(|request| equal(1, request))
                .collect::<Result<_, _>>()?,
        ),
        // A pair of connected sockets, which event loops use to wake themselves; sending to an address is refused.
        (libc::SYS_socketpair, vec![rule(vec![(0, Dword, Eq, bits(libc::AF_UNIX)), (1, Dword, MaskedEq(!bits(socket)), 0)])?]),
        (libc::SYS_sendto, vec![rule(vec![(4, Qword, Eq, 0)])?]),
    ]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![without(1, WRITE_FLAGS)?]);
    Ok(rules)
}

/// Flags that can change a file. `O_TMPFILE` requires one of the first two.
const WRITE_FLAGS: u64 = bits(libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC);

/// Flags that decide whether `clone` creates a thread of this process in the same namespaces.
const CLONE_FLAGS: u64 = bits(
    libc::CLONE_THREAD
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWUTS,
);

const fn bits(flags: i32) -> u64 {
    flags.cast_unsigned() as u64
}

/// None of the bits is set.
fn without(argument: u8, mask: u64) -> Result<SeccompRule, BackendError> {
    only(argument, mask, 0)
}

/// Of the bits in `mask` exactly `value` is set.
fn only(argument: u8, mask: u64, value: u64) -> Result<SeccompRule, BackendError> {
    rule(vec![(argument, Dword, MaskedEq(mask), value)])
}

fn equal(argument: u8, value: u64) -> Result<SeccompRule, BackendError> {
    rule(vec![(argument, Dword, Eq, value)])
}

fn each(argument: u8, values: &[i32]) -> Result<Vec<SeccompRule>, BackendError> {
    values.iter().map(|value| equal(argument, bits(*value))).collect()
}

/// All conditions hold.
fn rule(conditions: Vec<(u8, SeccompCmpArgLen, SeccompCmpOp, u64)>) -> Result<SeccompRule, BackendError> {
    let conditions = conditions.into_iter().map(|(index, size, how, value)| SeccompCondition::new(index, size, how, value));
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}

fn compile(rules: Rules, otherwise: SeccompAction, matching: SeccompAction) -> Result<BpfProgram, Error> {
    let filter = SeccompFilter::new(rules, otherwise, matching, std::env::consts::ARCH.try_into()?)?;
    Ok(filter.try_into()?)
}
