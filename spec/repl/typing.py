"""Types into a program on a terminal of its own, and prints what it answered.

  python3 typing.py STEPS COMMAND…

STEPS is a file; each line of it is a step, and for each the answer is printed, ended by a NUL byte:

  type TEXT    the text and Enter; the answer is what is printed until the next prompt
  keys TEXT    the text as it is, \\t, \\x03 and the like for keys; no answer is waited for
  see TEXT     wait for the text; the answer is all up to its end
  prompt       wait for a prompt; the answer is what was printed before it
  end          wait for the end of the program; the answer is the rest
  pause MS     wait

The last answer is the exit status. Whatever does not come within 60 seconds is an error.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

SECONDS = 60
PROMPT = re.compile(rb"(?:^|(?<=\n))>>? $")

steps = [line.rstrip("\n") for line in open(sys.argv[1], encoding="utf-8")]
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
# Wide enough for lines not to be broken.
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 500, 0, 0))
seen, is_open = b"", True


def receive(is_enough, what):
    """Read until is_enough(seen) says how many bytes of it are the answer."""
    global seen, is_open
    limit = time.monotonic() + SECONDS
    while True:
        count = is_enough(seen)
        if count is not None:
            answer, seen = seen[:count], seen[count:]
            return answer.replace(b"\r\n", b"\n")
        if not is_open or time.monotonic() > limit:
            sys.exit(f"{what}: it did not come; seen: {seen.decode(errors='replace')!r}")
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                piece = b""
            is_open = len(piece) > 0
            seen += piece


def receive_prompt(what):
    def is_enough(text):
        return len(text) if PROMPT.search(text) else None

    return PROMPT.sub(b"", receive(is_enough, what))


def perform(step):
    kind, _, text = step.partition(" ")
    if kind == "type":
        os.write(terminal, text.encode() + b"\n")
        echo, _, answer = receive_prompt(step).partition(b"\n")
        return answer
    if kind == "keys":
        os.write(terminal, text.encode().decode("unicode_escape").encode("latin-1"))
        return b""
    if kind == "see":
        wanted = text.encode()
        return receive(lambda s: s.find(wanted) + len(wanted) if wanted in s else None, step)
    if kind == "prompt":
        return receive_prompt(step)
    if kind == "pause":
        time.sleep(int(text) / 1000)
        return b""
    assert kind == "end", step
    return receive(lambda s: None if is_open else len(s), step)


for step in steps:
    sys.stdout.buffer.write(perform(step) + b"\0")
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), end="")
