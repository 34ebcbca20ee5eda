"""``python -m dicec``: the command, with its exit codes."""


def test_the_command_runs(command):
    done = command("roll", "--seed", "4", "(1d8 + 4) * 2 - 3")
    assert (done.returncode, done.stdout) == (0, "(1d8[6] + 4) * 2 - 3 = 17\n")


def test_exit_codes(command):
    assert command("odds", "2d6 +").returncode == 1
    assert command("odds", "--nonsense").returncode == 2
    assert command("--help").returncode == 0
    assert "D0101" in command("explain", "D0101").stdout
