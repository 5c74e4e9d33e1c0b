//! Memory leaks.

use inklings_core::sandbox::SandboxLimits;
use tokio::runtime::Runtime;

use crate::support::{Host, LOW, alone, memory, run, run_on, script};

#[test]
fn a_thousand_runs_leave_nothing_behind() {
    if !alone("leak::a_thousand_runs_leave_nothing_behind") {
        return;
    }
    let runtime = Runtime::new().unwrap();
    let once = |n: usize| {
        // Most fail, in different ways.
        let source = ["inklings.submit([0] * 1000)", "1 / 0", "x = 'x' * (1 << 30)", "import os; os.abort()"][n % 4];
        let _ = runtime.block_on(run(source));
    };
    (0..50).for_each(once);
    let before = memory("VmRSS");
    (0..1000).for_each(once);
    let growth = memory("VmRSS") - before;
    assert!(growth <= 5.0, "{growth} MiB more than {before} MiB");
}

#[test]
fn what_a_script_takes_of_the_host_is_bounded() {
    if !alone("leak::what_a_script_takes_of_the_host_is_bounded") {
        return;
    }
    let runtime = Runtime::new().unwrap();
    let _ = runtime.block_on(run("inklings.submit(1)"));
    let before = memory("VmHWM");
    for source in [
        "items = []\nwhile True: items.append(bytes(1 << 20))",
        "while True: print('x' * 1_000_000)",
        "from wit_world.imports import host\nlarge = b' ' * 40_000_000\nwhile True:\n    try: host.call(b'get_page', large)\n    except Exception: pass",
        "from wit_world.imports import host\nhost.call(b'submit', b'[' + b'{},' * 30_000_000 + b'0]')",
        "import os\nwhile True: os.urandom(1 << 20)",
        "import select\nwhile True: select.select([], [], [], 0)",
    ] {
        let mut script = script(source);
        script.limits = SandboxLimits { cpu_seconds: 1, memory_mib: 192, ..LOW };
        assert!(runtime.block_on(run_on(&Host::deaf(), &script)).is_err());
    }
    let growth = memory("VmHWM") - before;
    assert!(growth <= 192.0 + 32.0, "{growth} MiB more than {before} MiB");
}
