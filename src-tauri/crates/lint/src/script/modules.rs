//! Python modules in the sandbox: the standard library of Python 3.14 without modules that require an operating system.

use inklings_core::sandbox_api::MODULE;

/// Standard library modules that don't work in the sandbox, with the reason and a hint.
const UNSUPPORTED: &[(&[&str], &str, &str)] = &[
    (
        &[
            "socket",
            "ssl",
            "select",
            "selectors",
            "socketserver",
            "ftplib",
            "imaplib",
            "poplib",
            "smtplib",
            "webbrowser",
            "xmlrpc",
            "wsgiref",
        ],
        "scripts have no network",
        "use inklings.get_page for pages and inklings.llm_query for models",
    ),
    (&["subprocess", "multiprocessing", "pty"], "scripts can't start programs", "implement it in the script"),
    (
        &["threading", "_thread", "asyncio", "queue"],
        "scripts run in a single thread",
        "to send several prompts at once, use inklings.llm_query_batched",
    ),
    (
        &["ctypes", "mmap", "fcntl", "termios", "tty", "resource", "syslog", "pwd", "grp"],
        "scripts have no access to the operating system",
        "remove the import",
    ),
    (
        &["tkinter", "turtle", "turtledemo", "curses", "readline", "idlelib", "msvcrt", "winreg", "winsound", "nt", "_winapi"],
        "scripts have no display or terminal",
        "submit the result with inklings.submit",
    ),
    (&["sqlite3", "dbm", "ensurepip", "venv"], "the module isn't included in the sandbox", "remove the import"),
];

const UNSUPPORTED_SUBMODULES: &[(&str, &str, &str)] = &[
    ("urllib.request", "scripts have no network", "use inklings.get_page for pages; urllib.parse is supported"),
    ("http.client", "scripts have no network", "use inklings.get_page for pages"),
    ("http.server", "scripts have no network", "use inklings.get_page for pages"),
    ("concurrent.futures", "scripts run in a single thread", "to send several prompts at once, use inklings.llm_query_batched"),
];

/// Supported modules of the standard library.
const STANDARD_LIBRARY: &[&str] = &[
    "__future__",
    "__main__",
    "abc",
    "annotationlib",
    "antigravity",
    "argparse",
    "array",
    "ast",
    "atexit",
    "base64",
    "bdb",
    "binascii",
    "bisect",
    "builtins",
    "bz2",
    "cProfile",
    "calendar",
    "cmath",
    "cmd",
    "code",
    "codecs",
    "codeop",
    "collections",
    "colorsys",
    "compileall",
    "compression",
    "concurrent",
    "configparser",
    "contextlib",
    "contextvars",
    "copy",
    "copyreg",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "dis",
    "doctest",
    "email",
    "encodings",
    "enum",
    "errno",
    "faulthandler",
    "filecmp",
    "fileinput",
    "fnmatch",
    "fractions",
    "functools",
    "gc",
    "genericpath",
    "getopt",
    "getpass",
    "gettext",
    "glob",
    "graphlib",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "linecache",
    "locale",
    "logging",
    "lzma",
    "mailbox",
    "marshal",
    "math",
    "mimetypes",
    "modulefinder",
    "netrc",
    "ntpath",
    "nturl2path",
    "numbers",
    "opcode",
    "operator",
    "optparse",
    "os",
    "pathlib",
    "pdb",
    "pickle",
    "pickletools",
    "pkgutil",
    "platform",
    "plistlib",
    "posix",
    "posixpath",
    "pprint",
    "profile",
    "pstats",
    "py_compile",
    "pyclbr",
    "pydoc",
    "pydoc_data",
    "pyexpat",
    "quopri",
    "random",
    "re",
    "reprlib",
    "rlcompleter",
    "runpy",
    "sched",
    "secrets",
    "shelve",
    "shlex",
    "shutil",
    "signal",
    "site",
    "stat",
    "statistics",
    "string",
    "stringprep",
    "struct",
    "symtable",
    "sys",
    "sysconfig",
    "tabnanny",
    "tarfile",
    "tempfile",
    "textwrap",
    "this",
    "time",
    "timeit",
    "token",
    "tokenize",
    "tomllib",
    "trace",
    "traceback",
    "tracemalloc",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "wave",
    "weakref",
    "xml",
    "zipapp",
    "zipfile",
    "zipimport",
    "zlib",
    "zoneinfo",
];

/// Why importing a module fails, with a hint; `None` if it is supported.
pub(super) fn fault(module: &str) -> Option<(String, &'static str)> {
    if module.starts_with('.') {
        return Some(("relative imports aren't supported: a script is a single file".to_owned(), "move the code into this script"));
    }
    let root = module.split('.').next().unwrap_or(module);
    let useless = UNSUPPORTED.iter().find(|(names, ..)| names.contains(&root)).map(|(_, why, hint)| (why, hint));
    let part = UNSUPPORTED_SUBMODULES
        .iter()
        .find(|(name, ..)| module == *name || module.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')));
    if let Some((why, hint)) = useless.or(part.map(|(_, why, hint)| (why, hint))) {
        return Some((format!("{module} doesn't work in the sandbox: {why}"), hint));
    }
    if STANDARD_LIBRARY.contains(&root) || root == MODULE || root.starts_with('_') {
        return None;
    }
    let message = format!("{module} isn't available: the sandbox has only the Python standard library");
    Some((message, "use the standard library, or copy the code into this script"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_sorted_into_those_that_work_and_those_that_do_not() {
        for module in ["json", "os.path", "urllib.parse", "inklings", "__future__", "concurrent.interpreters", "collections.abc"] {
            assert_eq!(fault(module), None, "{module}");
        }
        for (module, word) in [
            ("socket", "network"),
            ("urllib.request", "network"),
            ("xml.etree", ""),
            ("xmlrpc.client", "network"),
            ("subprocess", "programs"),
            ("threading", "thread"),
            ("concurrent.futures", "thread"),
            ("concurrent.futures.thread", "thread"),
            ("ctypes", "system"),
            ("numpy", "standard library"),
            ("requests", "standard library"),
            ("distutils", "standard library"),
            (".helpers", "single file"),
        ] {
            let message = fault(module).map(|(message, _)| message).unwrap_or_default();
            assert!(message.contains(word) && (message.is_empty() == word.is_empty()), "{module}: {message}");
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(STANDARD_LIBRARY.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(UNSUPPORTED.iter().flat_map(|(names, ..)| *names).all(|name| !STANDARD_LIBRARY.contains(name)));
    }
}
