#!/usr/bin/env python3
"""Plays scenes at a pseudo-terminal: a person in an interactive bash runs commands under a wrapper.

usage: terminal_scenes.py --list
       terminal_scenes.py --beside-flock     those of the list that are told of flock as well
       terminal_scenes.py SCENE LAUNCHER

LAUNCHER is a program that runs its arguments under the wrapper; OPTIONS in its environment is passed to it.
Exits 0 if the scene goes as it must, else prints what was seen.
"""
import os
import pty
import re
import select
import signal
import sys
import time

LONGEST_WAIT = 20
PROMPT = 'PROMPT> '
CTRL_C, CTRL_Z, CTRL_BACKSLASH = '\x03', '\x1a', '\x1c'


class Terminal:
    """A terminal with a program in it, and all that was shown."""

    def __init__(self, *program):
        self.shown = ''
        self.seen = 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(HERE=os.path.dirname(L), PS1=PROMPT, HISTFILE='', TERM='dumb')
            os.execvp(program[0], program)

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def expect(self, pattern):
        """Waits until something new is shown that matches, and returns the match."""
        deadline = time.monotonic() + LONGEST_WAIT
        while True:
            match = re.compile(pattern, re.M).search(self.shown, self.seen)
            if match:
                self.seen = match.end()
                return match
            left = deadline - time.monotonic()
            if left <= 0 or not self.read(left):
                raise AssertionError('expected %r, but saw %r' % (pattern, self.shown))

    def read(self, longest):
        if not select.select([self.fd], [], [], longest)[0]:
            return False
        try:
            part = os.read(self.fd, 65536)
        except OSError:
            return False
        self.shown += part.decode(errors='replace').replace('\r', '')
        return bool(part)

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


class Shell(Terminal):
    """An interactive bash."""

    def __init__(self):
        super().__init__('bash', '--norc', '--noprofile', '--noediting', '-i')
        self.prompt()

    def prompt(self):
        self.expect(PROMPT)

    def run(self, line):
        self.type(line + '\n')
        self.expect(re.escape(line[-20:]) + '\n')

    def settle(self, line):
        self.run(line)
        self.prompt()

    def expect_code(self, code):
        self.type('echo "code" $?\n')
        found = int(self.expect(r'^code (\d+)$')[1])
        assert found == code, 'expected code %d, but saw %r' % (code, self.shown)
        self.prompt()


def foreground_reads_the_terminal(shell):
    shell.run(L + " sh -c 'echo up; read x; echo got $x'")
    shell.expect('^up$')
    shell.type('hello\n')
    shell.expect('^got hello$')
    shell.prompt()
    shell.expect_code(0)


def the_terminal_can_be_opened(shell):
    shell.run(L + " sh -c 'echo to-terminal >/dev/tty; exit 4'")
    shell.expect('^to-terminal$')
    shell.prompt()
    shell.expect_code(4)


def ctrl_c_trapped(shell):
    shell.run(L + " sh -c 'trap \"echo trapped; exit 9\" INT; echo up; while :; do sleep 0.05; done'")
    shell.expect('^up$')
    shell.type(CTRL_C)
    shell.expect('trapped$')
    shell.prompt()
    shell.expect_code(9)


def ctrl_c_not_trapped(shell):
    shell.run(L + " sh -c 'echo up; exec sleep 60'")
    shell.expect('^up$')
    shell.type(CTRL_C)
    shell.prompt()
    shell.expect_code(130)


def ctrl_backslash(shell):
    shell.settle('ulimit -c 0')
    shell.run(L + " sh -c 'echo up; exec sleep 60'")
    shell.expect('^up$')
    shell.type(CTRL_BACKSLASH)
    shell.prompt()
    shell.expect_code(131)


# Not a shell that forks: one stopped between vfork and exec of its child cannot be told to have stopped, by anyone.
COUNT = "import time; print('up', flush=True); [time.sleep(0.1) for i in range(15)]; print('counted'); exit(3)"
COUNTER = ' %s -c "%s"' % (sys.executable, COUNT)


def ctrl_z_and_foreground_again(shell):
    shell.run(L + COUNTER)
    shell.expect('^up$')
    shell.type(CTRL_Z)
    shell.expect('Stopped')
    shell.prompt()
    shell.run('fg')
    shell.expect('^counted$')
    shell.prompt()
    shell.expect_code(3)


def ctrl_z_and_on_in_the_background(shell):
    shell.run(L + COUNTER)
    shell.expect('^up$')
    shell.type(CTRL_Z)
    shell.expect('Stopped')
    shell.prompt()
    shell.run('bg')
    shell.prompt()
    shell.run('wait')
    shell.expect('^counted$')
    shell.expect('Exit 3')


def ctrl_z_past_the_lease(shell):
    shell.settle('export OPTIONS="-Dlease=1500 -Dbudget=300"')
    shell.run(L + " sh -c 'trap \"\" TERM; echo up; exec sleep 60'")
    shell.expect('^up$')
    shell.type(CTRL_Z)
    shell.expect('Stopped')
    shell.prompt()
    shell.run('sleep 2.5; ps -o comm= -t $(tty) | grep -c "^sleep$"')
    shell.expect('^0$')
    shell.prompt()
    shell.run('fg')
    shell.prompt()
    shell.expect_code(79)


def background_job(shell):
    shell.settle(L + " sh -c 'sleep 0.2; exit 5' &")
    shell.run('wait %1')
    shell.prompt()
    shell.expect_code(5)


def background_job_reads_the_terminal_then_foreground(shell):
    shell.run(L + " sh -c 'read x; echo got $x' &")
    shell.prompt()
    shell.type('while ! jobs %1 | grep -q Stopped; do sleep 0.1; done; echo has"stopped"\n')
    shell.expect('^hasstopped$')
    shell.prompt()
    shell.run('fg')
    shell.type('late input\n')
    shell.expect('^got late input$')
    shell.prompt()
    shell.expect_code(0)


def input_from_a_pipe_and_the_terminal(shell):
    shell.run('echo piped | ' + L + " sh -c 'read x; echo got $x; read y </dev/tty; echo also $y'")
    shell.expect('^got piped$')
    shell.type('typed\n')
    shell.expect('^also typed$')
    shell.prompt()
    shell.expect_code(0)


def a_terminal_that_stops_background_output(shell):
    shell.settle('stty tostop')
    shell.run(L + " sh -c 'echo said; exit 2'")
    shell.expect('^said$')
    shell.prompt()
    shell.expect_code(2)


# Says when it goes on: a shell shows the command of `fg` before it hands over the terminal, so keys typed upon that may come too soon.
# It waits for SIGCONT itself: stopped an instant before a sleep, Python would run a handler only after it.
SLEEPER = ' %s -c "%s"' % (
    sys.executable,
    "import signal as s, time; s.signal(s.SIGINT, s.SIG_DFL); s.pthread_sigmask(s.SIG_BLOCK, [s.SIGCONT]); "
    + "print('up', flush=True); s.sigwait([s.SIGCONT]); print('again', flush=True); time.sleep(100)")


def an_interactive_shell_as_command(shell):
    shell.run('PS1="INNER> " ' + L + ' bash --norc --noprofile --noediting -i')
    shell.expect('^INNER> ')
    shell.run(SLEEPER)
    shell.expect('^up$')
    shell.type(CTRL_Z)
    shell.expect('Stopped')
    shell.expect('^INNER> ')
    shell.run('fg')
    shell.expect('^again$')
    shell.type(CTRL_C)
    shell.expect('INNER> ')
    shell.run('exit 4')
    shell.prompt()
    shell.expect_code(4)


def inside_a_script(shell):
    shell.run("sh -c '" + L + ' sh -c "echo up; read x; echo got \\$x"; echo script saw $?\'')
    shell.expect('^up$')
    shell.type('hello\n')
    shell.expect('^got hello$')
    shell.expect('^script saw 0$')
    shell.prompt()


def a_filter_after_it_reads_the_terminal_once_it_is_gone(shell):
    filter = "sh -c 'while read line; do echo paged $line; done; read key </dev/tty; echo key $key'"
    shell.run(L + " sh -c 'echo text; sleep 0.5' | " + filter)
    shell.expect('^paged text$')
    shell.type('q\n')
    shell.expect('^key q$')
    shell.prompt()


def script_of(shell, *lines):
    shell.settle("cat > \"$HERE/script\" <<'END'\n" + '\n'.join(lines) + '\nEND')


def a_script_reads_the_terminal_after_its_command_did(shell):
    script_of(shell, L + " sh -c 'read x; echo got $x'", 'read y; echo script got $y')
    shell.run('sh "$HERE/script"')
    shell.type('one\n')
    shell.expect('^got one$')
    shell.type('two\n')
    shell.expect('^script got two$')
    shell.prompt()


def a_script_reads_the_terminal_after_a_job_of_its_killed_command_had_it(shell):
    job = 'sh -c "echo up; kill -9 \\$PPID; exec sleep 60"; true'
    script_of(shell, L + " bash --norc -mc '" + job + "'", 'read y; echo script got $y')
    shell.run('bash "$HERE/script"')
    shell.expect('^up$')
    shell.type('two\n')
    shell.expect('^script got two$')
    shell.prompt()


def a_shell_keeps_the_terminal_when_a_background_command_ends(shell):
    over = os.path.join(os.path.dirname(L), 'over')
    shell.settle('rm -f "$HERE/over"')
    shell.settle('(' + L + " sh -c 'sleep 0.3'; touch \"$HERE/over\") &")
    shell.run('read x; echo got $x')
    deadline = time.monotonic() + LONGEST_WAIT
    while not os.path.exists(over):
        assert time.monotonic() < deadline, shell.shown
        time.sleep(0.01)
    shell.type('hello\n')
    shell.expect('^got hello$')
    shell.prompt()


# What follows is played under `flock`, too, with the same outcome.
def a_pager_reads_keys_while_the_command_runs(shell):
    shell.run(L + " sh -c 'seq 100; sleep 2; seq 100' | TERM=vt100 less")
    shell.expect(':')
    shell.type(' ')
    shell.expect('(?s)30.*:')
    shell.type('q')
    shell.prompt()
    shell.expect_code(0)


def a_filter_reads_the_terminal_while_the_command_runs(shell):
    filter = "sh -c 'read line; echo paged $line; read key </dev/tty; echo key $key; cat'"
    shell.run(L + " sh -c 'echo text; sleep 2; echo late' | " + filter)
    shell.expect('^paged text$')
    shell.type('q\n')
    shell.expect('^key q$')
    shell.expect('^late$')
    shell.prompt()
    shell.expect_code(0)


def ctrl_c_ends_a_pipeline(shell):
    shell.run(L + " sh -c 'echo text; exec sleep 60' | cat")
    shell.expect('^text$')
    shell.type(CTRL_C)
    shell.prompt()
    shell.expect_code(130)
    shell.run('while ps -o comm= -t $(tty) | grep -q "^sleep$"; do :; done; echo "no sleep"')
    shell.expect('^no sleep$')
    shell.prompt()


def ctrl_z_stops_a_pipeline(shell):
    shell.settle('export OPTIONS="-Dlease=30000"')
    shell.run(L + COUNTER + ' 2>&1 >/dev/tty | cat') # by itself, since a cat that sleeps would show nothing
    shell.expect('^up$')
    shell.type(CTRL_Z)
    shell.expect('Stopped')
    shell.prompt()
    shell.run('sleep 2; echo slept')
    shell.expect('^slept$')
    assert 'counted\n' not in shell.shown, shell.shown
    shell.prompt()
    shell.run('fg')
    shell.expect('^counted$')
    shell.prompt()


def a_script_reads_the_terminal_beside_a_background_command(shell):
    shell.settle("cat > \"$HERE/script\" <<'END'\n" + L + " sh -c 'sleep 1.5; exit 5' &\nread x; echo got $x; wait $!; echo code $?\nEND")
    shell.run('sh "$HERE/script"')
    time.sleep(0.7)
    shell.type('hello\n')
    shell.expect('^got hello$')
    shell.expect('^code 5$')
    shell.prompt()


def ctrl_c_ends_a_script_that_waits_for_a_background_command(shell):
    shell.run("bash -c '" + L + ' sh -c "echo up; exec sleep 3" & wait; echo never\'')
    shell.expect('^up$')
    shell.type(CTRL_C)
    shell.prompt()
    shell.expect_code(130)


def ctrl_c_ends_a_loop_in_a_script(shell):
    shell.run("bash -c 'for i in 1 2 3; do echo round $i; " + L + ' sh -c "echo up; exec sleep 60"; done; echo never\'')
    shell.expect('^round 1$')
    shell.expect('^up$')
    shell.type(CTRL_C)
    shell.prompt()
    assert 'round 2\n' not in shell.shown, shell.shown
    shell.expect_code(130)


def ctrl_c_ends_a_loop_of_the_shell(shell):
    shell.run('for i in 1 2 3; do echo round $i; ' + L + " sh -c 'echo up; exec sleep 60'; done")
    shell.expect('^round 1$')
    shell.expect('^up$')
    shell.type(CTRL_C)
    shell.prompt()
    assert 'round 2\n' not in shell.shown, shell.shown
    shell.expect_code(130)


def a_script_whose_command_has_read_the_terminal_ends_by_ctrl_c(shell):
    inner = 'read x; echo got $x; exec sleep 60'
    shell.run("bash -c 'for i in 1 2; do echo round $i; " + L + ' sh -c "' + inner.replace('$', '\\$') + '"; done\'')
    shell.expect('^round 1$')
    time.sleep(0.5)
    shell.type('hello\n')
    shell.expect('^got hello$')
    shell.type(CTRL_C)
    shell.prompt()
    assert 'round 2\n' not in shell.shown, shell.shown
    shell.expect_code(130)


def without_a_shell_ctrl_z_stops_nobody_for_ever():
    terminal = Terminal(L, sys.executable, '-c', COUNT)
    try:
        terminal.expect('^up$')
        terminal.type(CTRL_Z)
        terminal.expect('counted$')
    finally:
        terminal.close()


IN_A_SHELL = [
    foreground_reads_the_terminal,
    the_terminal_can_be_opened,
    ctrl_c_trapped,
    ctrl_c_not_trapped,
    ctrl_backslash,
    ctrl_z_and_foreground_again,
    ctrl_z_and_on_in_the_background,
    ctrl_z_past_the_lease,
    background_job,
    background_job_reads_the_terminal_then_foreground,
    input_from_a_pipe_and_the_terminal,
    a_terminal_that_stops_background_output,
    an_interactive_shell_as_command,
    inside_a_script,
    a_filter_after_it_reads_the_terminal_once_it_is_gone,
    a_script_reads_the_terminal_after_its_command_did,
    a_script_reads_the_terminal_after_a_job_of_its_killed_command_had_it,
    a_shell_keeps_the_terminal_when_a_background_command_ends,
]
BESIDE_FLOCK = [
    a_pager_reads_keys_while_the_command_runs,
    a_filter_reads_the_terminal_while_the_command_runs,
    ctrl_c_ends_a_pipeline,
    ctrl_z_stops_a_pipeline,
    a_script_reads_the_terminal_beside_a_background_command,
    ctrl_c_ends_a_script_that_waits_for_a_background_command,
    ctrl_c_ends_a_loop_in_a_script,
    ctrl_c_ends_a_loop_of_the_shell,
    a_script_whose_command_has_read_the_terminal_ends_by_ctrl_c,
]
ALONE = [without_a_shell_ctrl_z_stops_nobody_for_ever]


def play(name):
    for scene in ALONE:
        if scene.__name__ == name:
            scene()
            return
    for scene in IN_A_SHELL + BESIDE_FLOCK:
        if scene.__name__ == name:
            shell = Shell()
            try:
                scene(shell)
            finally:
                shell.close()
            return
    raise AssertionError('no scene ' + name)


if sys.argv[1] == '--list':
    for each in IN_A_SHELL + BESIDE_FLOCK + ALONE:
        print(each.__name__)
elif sys.argv[1] == '--beside-flock':
    for each in BESIDE_FLOCK:
        print(each.__name__)
else:
    L = sys.argv[2]
    try:
        play(sys.argv[1])
    except AssertionError as failed:
        print(failed)
        sys.exit(1)
