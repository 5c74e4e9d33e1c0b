//! Python modules in the sandbox: the standard library of Python 3.14 without what needs a system around it.

use inklings_core::sandbox_api::MODULE;

/// Modules that are part of the standard library, and why they can't do there what they are for.
const USELESS: &[(&[&str], &str, &str)] = &[
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
        "pages come from inklings.get_page, models from inklings.llm_query",
    ),
    (&["subprocess", "multiprocessing", "pty"], "scripts can't start programs", "do it in the script itself"),
    (
        &["threading", "_thread", "asyncio", "queue"],
        "scripts run in one thread that can't wait for others",
        "to ask a model several things at once, use inklings.llm_query_batched",
    ),
    (
        &["ctypes", "mmap", "fcntl", "termios", "tty", "resource", "syslog", "pwd", "grp"],
        "scripts reach no system below Python",
        "leave it out",
    ),
    (
        &["tkinter", "turtle", "turtledemo", "curses", "readline", "idlelib", "msvcrt", "winreg", "winsound", "nt", "_winapi"],
        "scripts have no screen and no keyboard",
        "hand in the result with inklings.submit",
    ),
    (&["sqlite3", "dbm", "ensurepip", "venv"], "the sandbox comes without it", "leave it out"),
];

/// Submodules that can't work although the rest of their package can.
const USELESS_PARTS: &[(&str, &str, &str)] = &[
    ("urllib.request", "scripts have no network", "pages come from inklings.get_page; urllib.parse works"),
    ("http.client", "scripts have no network", "pages come from inklings.get_page"),
    ("http.server", "scripts have no network", "pages come from inklings.get_page"),
    ("concurrent.futures", "scripts run in one thread", "to ask a model several things at once, use inklings.llm_query_batched"),
];

/// The rest of the standard library.
const STANDARD: &[&str] = &[
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

/// Why an import of a module is of no use, and what to do; none when it is fine.
pub(super) fn fault(module: &str) -> Option<(String, &'static str)> {
    if module.starts_with('.') {
        return Some(("a script is alone: there is nothing beside it to import".to_owned(), "put everything into this script"));
    }
    let root = module.split('.').next().unwrap_or(module);
    let useless = USELESS.iter().find(|(names, ..)| names.contains(&root)).map(|(_, why, hint)| (why, hint));
    let part =
        USELESS_PARTS.iter().find(|(name, ..)| module == *name || module.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')));
    if let Some((why, hint)) = useless.or(part.map(|(_, why, hint)| (why, hint))) {
        return Some((format!("{module} can't work in the sandbox: {why}"), hint));
    }
    if STANDARD.contains(&root) || root == MODULE || root.starts_with('_') {
        return None;
    }
    let message = format!("{module} can't be imported: the sandbox has Python's standard library and nothing else");
    Some((message, "use the standard library, or put the code into this script"))
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
            ("numpy", "nothing else"),
            ("requests", "nothing else"),
            ("distutils", "nothing else"),
            (".helpers", "beside"),
        ] {
            let message = fault(module).map(|(message, _)| message).unwrap_or_default();
            assert!(message.contains(word) && (message.is_empty() == word.is_empty()), "{module}: {message}");
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(STANDARD.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(USELESS.iter().flat_map(|(names, ..)| *names).all(|name| !STANDARD.contains(name)));
    }
}
