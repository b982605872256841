"""Memory policies: the text, and what it sets for each framework before its device starts."""

import os
import re
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unibackend as ub
from unibackend import _memory_knobs, memory
from unibackend.errors import MemoryPolicyError, SettingsError, UnsupportedError
from unibackend.memory import FORMS, Policy, parse, put_in_force

GIB = 2**30

# ---- the text ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("default", Policy()),
        ("preallocate", Policy("preallocate")),
        ("preallocate:60%", Policy("preallocate", (("jax", 0.6), ("tensorflow", 0.6)))),
        ("grow", Policy("grow")),
        ("fraction:0.4", Policy("fraction", (("jax", 0.4), ("tensorflow", 0.4)))),
        ("fraction:40%", Policy("fraction", (("jax", 0.4), ("tensorflow", 0.4)))),
        ("fraction:100%", Policy("fraction", (("jax", 1.0), ("tensorflow", 1.0)))),
        ("limit:8GiB", Policy("limit", limit=8 * GIB)),
        ("limit:1.5GiB", Policy("limit", limit=3 * GIB // 2)),
        ("limit:512MiB", Policy("limit", limit=GIB // 2)),
        ("split:jax=0.5,tensorflow=0.3", Policy("split", (("jax", 0.5), ("tensorflow", 0.3)))),
        ("split:tensorflow=30%,jax=0.5", Policy("split", (("jax", 0.5), ("tensorflow", 0.3)))),
        ("split:jax=0.22,tensorflow=0.68", Policy("split", (("jax", 0.22), ("tensorflow", 0.68)))),
        ("only:jax", Policy("only", owner="jax")),
        ("only:tensorflow", Policy("only", owner="tensorflow")),
    ],
)
def test_parse(text, policy):
    assert parse(text) == policy
    assert parse(str(policy)) == policy


def test_every_listed_form_is_one():
    assert {parse(form).kind for form in FORMS} == set(memory.Kind.__args__)


NONSENSE = {
    "": "it is none of the forms",
    "grov": "it is none of the forms",
    "Grow": "it is none of the forms",
    " grow": "it is none of the forms",
    "grow:0.5": "it is none of the forms",
    "default:": "it is none of the forms",
    "preallocate:": "a share is a number like 0.4 or a percentage like 40%",
    "preallocate:8GiB": "a share is a number like 0.4 or a percentage like 40%",
    "fraction": "a share is a number like 0.4 or a percentage like 40%",
    "fraction:.4": "a share is a number like 0.4 or a percentage like 40%",
    "fraction:-0.4": "a share is a number like 0.4 or a percentage like 40%",
    "fraction:nan": "a share is a number like 0.4 or a percentage like 40%",
    "fraction:\u0660.\u0664": "a share is a number like 0.4 or a percentage like 40%",
    "fraction:40": "a share lies between 0.001 and 1, or 0.1% and 100%",
    "fraction:0": "a share lies between 0.001 and 1, or 0.1% and 100%",
    "fraction:101%": "a share lies between 0.001 and 1, or 0.1% and 100%",
    "limit": "an amount is a number and MiB, GiB or TiB, like 8GiB",
    "limit:8": "an amount is a number and MiB, GiB or TiB, like 8GiB",
    "limit:8GB": "an amount is a number and MiB, GiB or TiB, like 8GiB",
    "limit:40%": "an amount is a number and MiB, GiB or TiB, like 8GiB",
    "limit:0GiB": "the least amount is 1MiB",
    "only": "it is none of the forms",
    "only:numpy": "it names jax or tensorflow",
    "only:": "it names jax or tensorflow",
    "split": "it gives jax and tensorflow a share each",
    "split:jax=0.5": "it gives jax and tensorflow a share each",
    "split:jax=0.5,jax=0.3": "it gives jax and tensorflow a share each",
    "split:jax=0.5,tensorflow=0.3,": "it gives jax and tensorflow a share each",
    "split:jax=0.5, tensorflow=0.3": "it gives jax and tensorflow a share each",
    "split:jax=0.5,tensorflow": "a share is a number like 0.4 or a percentage like 40%",
    "split:jax=0.5,tensorflow=0.5": "the shares add up to more than 0.9",
}


@pytest.mark.parametrize(("text", "rule"), NONSENSE.items())
def test_nonsense(text, rule):
    message = f"{text!r} is not a memory policy: {rule}"
    with pytest.raises(SettingsError, match=f"^{re.escape(message)}") as error:
        parse(text)
    assert str(error.value).endswith(f"The forms are {', '.join(FORMS)}")


SHARES = st.floats(0.001, 1.0)
POLICIES = st.one_of(
    st.sampled_from(["default", "preallocate", "grow"]).map(Policy),
    st.builds(
        lambda kind, share: Policy(kind, (("jax", share), ("tensorflow", share))),
        st.sampled_from(["preallocate", "fraction"]),
        SHARES,
    ),
    st.integers(1, 10**7).map(lambda mib: Policy("limit", limit=mib * 2**20)),
    st.sampled_from(["jax", "tensorflow"]).map(lambda owner: Policy("only", owner=owner)),
    st.builds(
        lambda a, b: Policy("split", (("jax", a), ("tensorflow", b))),
        st.floats(0.001, 0.45),
        st.floats(0.001, 0.45),
    ),
)


@given(POLICIES)
def test_parse_takes_back_what_str_gives(policy):
    assert parse(str(policy)) == policy


# Written apart from the parser: what a policy looks like, amounts aside.
SHARE, AMOUNT = r"[0-9]+(\.[0-9]+)?%?", r"[0-9]+(\.[0-9]+)?(MiB|GiB|TiB)"
LOOKS_RIGHT = (
    rf"default|grow|preallocate(:{SHARE})?|fraction:{SHARE}|limit:{AMOUNT}|only:(jax|tensorflow)"
    rf"|split:(jax={SHARE},tensorflow={SHARE}|tensorflow={SHARE},jax={SHARE})"
)


@given(
    st.text()
    | st.builds(
        lambda form, at, new: form[:at] + new + form[at + 1 :],
        st.sampled_from(FORMS),
        st.integers(0, 30),
        st.text(max_size=2),
    )
)
def test_parse_understands_or_refuses(text):
    if re.fullmatch(LOOKS_RIGHT, text) is None:
        with pytest.raises(SettingsError, match=re.escape(f"{text!r} is not a memory policy: ")):
            parse(text)
        return
    try:
        policy = parse(text)
    except SettingsError as error:
        assert re.search("lies between|least amount|add up", str(error))  # noqa: PT017
    else:
        assert parse(str(policy)) == policy


# ---- put in force, with stand-ins for the frameworks -------------------------------------------


class FakeJax:
    def __init__(self, live=False, platform="gpu", platforms=None):
        self.live, self.platform = live, platform
        self.config = SimpleNamespace(
            jax_num_cpu_devices=-1, jax_platforms=platforms, update=self.update
        )

    def update(self, name, value):
        if name == "jax_num_cpu_devices" and self.live:
            raise RuntimeError("config.update should be called before backends are initialized")
        setattr(self.config, name, value)

    def default_backend(self):
        return self.platform


class FakeTensorflow:
    def __init__(self, gpus=1, live=False):
        self.live = live
        self.gpus = [SimpleNamespace(name=f"GPU:{index}") for index in range(gpus)]
        self.growth, self.limits, self.threads = {}, {}, 0
        self.config = SimpleNamespace(
            get_visible_devices=lambda kind: list(self.gpus),
            set_visible_devices=lambda devices, kind: self.gpus.clear(),
            get_logical_device_configuration=lambda gpu: self.limits.get(gpu.name),
            set_logical_device_configuration=self.set_limit,
            LogicalDeviceConfiguration=SimpleNamespace,
            experimental=SimpleNamespace(
                set_memory_growth=lambda gpu, on: self.growth.update({gpu.name: on}),
                get_memory_growth=lambda gpu: self.growth.get(gpu.name, False),
            ),
            threading=SimpleNamespace(
                get_inter_op_parallelism_threads=lambda: self.threads,
                set_inter_op_parallelism_threads=self.set_threads,
            ),
        )

    def set_limit(self, gpu, configuration):
        self.limits[gpu.name] = configuration[0].memory_limit

    def set_threads(self, count):
        if self.live:
            raise RuntimeError("Inter op parallelism cannot be modified after initialization.")
        self.threads = count


@pytest.fixture
def frameworks(monkeypatch):
    """Stand-ins, a GPU of 10 GiB, an empty environment and nothing started yet."""
    there = SimpleNamespace(jax=FakeJax(), tensorflow=FakeTensorflow(), env={}, gpu=10 * GIB)

    def put(name, framework):
        setattr(there, name, framework)
        if framework is None:
            monkeypatch.delitem(sys.modules, name, raising=False)
        else:
            monkeypatch.setitem(sys.modules, name, framework)

    there.put = put
    put("jax", there.jax)
    put("tensorflow", there.tensorflow)
    stand_in = SimpleNamespace(environ=there.env, path=os.path)
    monkeypatch.setattr(_memory_knobs, "os", stand_in)
    monkeypatch.setattr(memory, "_in_force", {})
    monkeypatch.setattr(_memory_knobs, "_gpu_bytes", lambda: there.gpu)
    return there


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("default", {}),
        ("preallocate", {"XLA_PYTHON_CLIENT_PREALLOCATE": "true"}),
        (
            "preallocate:60%",
            {"XLA_PYTHON_CLIENT_PREALLOCATE": "true", "XLA_CLIENT_MEM_FRACTION": "0.6"},
        ),
        ("grow", {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}),
        (
            "fraction:0.4",
            {"XLA_PYTHON_CLIENT_PREALLOCATE": "false", "XLA_CLIENT_MEM_FRACTION": "0.4"},
        ),
        (
            "limit:4GiB",
            {"XLA_PYTHON_CLIENT_PREALLOCATE": "false", "XLA_CLIENT_MEM_FRACTION": "0.4"},
        ),
        (
            "split:jax=0.5,tensorflow=0.3",
            {
                "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
                "XLA_CLIENT_MEM_FRACTION": "0.5",
                "TF_FORCE_GPU_ALLOW_GROWTH": "true",
            },
        ),
        ("only:jax", {}),
    ],
)
def test_jax_variables(frameworks, text, variables):
    put_in_force(parse(text), "jax", "auto")
    assert frameworks.env == variables
    put_in_force(parse(text), "jax", "auto")  # the same again
    assert frameworks.env == variables
    assert frameworks.jax.config.jax_num_cpu_devices == -1  # as it was before it was probed
    assert frameworks.jax.config.jax_platforms is None


@pytest.mark.parametrize(
    ("text", "growth", "limits", "variables"),
    [
        ("default", {}, {}, {}),
        ("preallocate", {}, {}, {}),
        ("preallocate:60%", {}, {"GPU:0": 6144, "GPU:1": 6144}, {}),
        ("grow", {"GPU:0": True, "GPU:1": True}, {}, {}),
        (
            "fraction:0.4",
            {},
            {"GPU:0": 4096, "GPU:1": 4096},
            {"TF_FORCE_GPU_ALLOW_GROWTH": "true"},
        ),
        (
            "limit:8GiB",
            {},
            {"GPU:0": 8192, "GPU:1": 8192},
            {"TF_FORCE_GPU_ALLOW_GROWTH": "true"},
        ),
    ],
)
def test_tensorflow_calls(frameworks, text, growth, limits, variables):
    tensorflow = FakeTensorflow(gpus=2)
    frameworks.put("tensorflow", tensorflow)
    put_in_force(parse(text), "tensorflow", "auto")
    put_in_force(parse(text), "tensorflow", "auto")  # the same again
    assert (tensorflow.growth, tensorflow.limits, frameworks.env) == (growth, limits, variables)
    assert len(tensorflow.gpus) == 2
    assert tensorflow.threads == 0  # as it was before it was probed


@pytest.mark.parametrize("first", ["jax", "tensorflow"])
def test_split_holds_for_both(frameworks, first):
    put_in_force(parse("split:jax=0.5,tensorflow=0.3"), first, "auto")
    assert frameworks.env["XLA_CLIENT_MEM_FRACTION"] == "0.5"
    assert frameworks.tensorflow.limits == {"GPU:0": 3072}


@pytest.mark.parametrize("first", ["jax", "tensorflow"])
def test_only_jax_hides_the_gpu_from_tensorflow(frameworks, first):
    put_in_force(parse("only:jax"), first, "auto")
    assert frameworks.tensorflow.gpus == []
    assert frameworks.jax.config.jax_platforms is None


@pytest.mark.parametrize("first", ["jax", "tensorflow"])
def test_only_tensorflow_keeps_jax_on_the_cpu(frameworks, first):
    put_in_force(parse("only:tensorflow"), first, "auto")
    assert len(frameworks.tensorflow.gpus) == 1
    assert frameworks.jax.config.jax_platforms == "cpu"


def test_only_tensorflow_before_jax_is_imported(frameworks):
    frameworks.put("jax", None)
    put_in_force(parse("only:tensorflow"), "tensorflow", "auto")
    assert frameworks.env == {"JAX_PLATFORMS": "cpu"}
    assert "jax" not in sys.modules


@pytest.mark.parametrize("text", ["only:jax", "split:jax=0.5,tensorflow=0.3"])
def test_tensorflow_is_not_imported_for_nothing(frameworks, text):
    frameworks.put("tensorflow", None)
    frameworks.gpu = 0
    put_in_force(parse(text), "jax", "auto")
    assert "tensorflow" not in sys.modules


def test_the_cpu_is_asked_for(frameworks):
    put_in_force(parse("grow"), "jax", "cpu")
    put_in_force(parse("grow"), "tensorflow", "cpu:0")
    assert frameworks.jax.config.jax_platforms == "cpu"
    assert frameworks.tensorflow.gpus == []
    assert frameworks.env == {}


@pytest.mark.parametrize("text", FORMS)
def test_without_a_gpu_tensorflow_is_not_touched(frameworks, text):
    tensorflow = FakeTensorflow(gpus=0)
    frameworks.put("tensorflow", tensorflow)
    frameworks.gpu = 0
    put_in_force(parse(text), "tensorflow", "auto")
    assert (tensorflow.growth, tensorflow.limits) == ({}, {})
    assert "TF_FORCE_GPU_ALLOW_GROWTH" not in frameworks.env


def test_without_a_gpu_a_limit_does_not_concern_jax(frameworks):
    frameworks.gpu = 0
    put_in_force(parse("limit:8GiB"), "jax", "auto")
    assert frameworks.env == {}


@pytest.mark.parametrize(
    ("text", "framework", "remedy"),
    [
        ("limit:8GiB", "jax", "fraction:0.4"),
        ("fraction:0.4", "tensorflow", "limit:8GiB"),
        ("preallocate:60%", "tensorflow", "limit:8GiB"),
        ("split:jax=0.5,tensorflow=0.3", "jax", "limit:8GiB"),
    ],
)
def test_size_of_the_gpu_is_not_known(frameworks, text, framework, remedy):
    frameworks.gpu = None
    message = r"needs the size of the GPU's memory, which nvidia-smi does not tell here; use a pol"
    with pytest.raises(UnsupportedError, match=f"{message}.*{re.escape(repr(remedy))}"):
        put_in_force(parse(text), framework, "auto")
    assert frameworks.env == {}
    assert memory._in_force == {}


def test_limit_larger_than_the_gpu(frameworks):
    with pytest.raises(SettingsError, match=r"'limit:11264MiB' .* is more than the 10240MiB of th"):
        put_in_force(parse("limit:11GiB"), "jax", "auto")


PREALLOCATE = "XLA_PYTHON_CLIENT_PREALLOCATE"
NEW, OLD = "XLA_CLIENT_MEM_FRACTION", "XLA_PYTHON_CLIENT_MEM_FRACTION"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("grow", {PREALLOCATE: "true"}),
        ("grow", {PREALLOCATE: "FALSE"}),  # JAX takes this for true
        ("fraction:0.4", {PREALLOCATE: "1"}),
        ("preallocate", {PREALLOCATE: "0"}),
        ("fraction:0.4", {NEW: "0.5"}),
        ("fraction:0.4", {OLD: "0.5"}),
        ("preallocate:60%", {OLD: "much"}),
        ("grow", {NEW: "0.4", OLD: "0.4"}),  # JAX would run on the CPU
        ("fraction:0.4", {"XLA_PYTHON_CLIENT_ALLOCATOR": "platform"}),
        ("only:tensorflow", {"JAX_PLATFORMS": "cuda"}),
        ("fraction:0.4", {"JAX_PJRT_CLIENT_CREATE_OPTIONS": "memory_fraction:0.5"}),
    ],
)
def test_jax_environment_contradicts(frameworks, text, said):
    frameworks.env.update(said)
    name = "jax_platforms" if "JAX_PLATFORMS" in said else "jax_pjrt_client_create_options"
    setattr(frameworks.jax.config, name, said.get(name.upper()))
    with pytest.raises(
        MemoryPolicyError, match=rf"memory='{text[:4]}.*\(from: .*contradicts"
    ) as error:
        put_in_force(parse(text), "jax", "auto")
    for variable, value in said.items():
        assert variable.lower() in str(error.value).lower()
        assert value in str(error.value)
    assert frameworks.env == said
    assert memory._in_force == {}


@pytest.mark.parametrize(
    ("text", "said", "more"),
    [
        ("grow", {PREALLOCATE: "False", NEW: "0.3"}, {}),
        ("grow", {"XLA_PYTHON_CLIENT_ALLOCATOR": "platform"}, {PREALLOCATE: "false"}),
        ("fraction:0.4", {NEW: "0.40"}, {PREALLOCATE: "false"}),
        ("fraction:0.4", {OLD: ".4"}, {PREALLOCATE: "false"}),
        ("preallocate:60%", {PREALLOCATE: "yes"}, {NEW: "0.6"}),
        ("fraction:0.4", {NEW: "", OLD: ""}, {PREALLOCATE: "false", NEW: "0.4"}),
    ],
)
def test_jax_environment_agrees(frameworks, text, said, more):
    frameworks.env.update(said)
    put_in_force(parse(text), "jax", "auto")
    assert frameworks.env == said | more


@pytest.mark.parametrize(
    ("text", "before", "message"),
    [
        ("grow", {"env": "false"}, "the environment variable TF_FORCE_GPU_ALLOW_GROWTH=false"),
        ("limit:1GiB", {"env": "false"}, "the environment variable TF_FORCE_GPU_ALLOW_GROWTH=fal"),
        ("preallocate", {"env": "true"}, "the environment variable TF_FORCE_GPU_ALLOW_GROWTH=true"),
        ("preallocate", {"growth": True}, "set_memory_growth(GPU:0, True)"),
        ("grow", {"limits": 512}, "the logical devices that GPU:0 already has"),
        ("limit:1GiB", {"limits": 512}, "the logical devices that GPU:0 already has"),
    ],
)
def test_tensorflow_is_contradicted(frameworks, text, before, message):
    if "env" in before:
        frameworks.env["TF_FORCE_GPU_ALLOW_GROWTH"] = before["env"]
    if "growth" in before:
        frameworks.tensorflow.growth["GPU:0"] = True
    if "limits" in before:
        frameworks.tensorflow.limits["GPU:0"] = 512
    with pytest.raises(MemoryPolicyError, match=f"contradicts {re.escape(message)}"):
        put_in_force(parse(text), "tensorflow", "auto")
    assert memory._in_force == {}


# ---- too late ----------------------------------------------------------------------------------

TOO_LATE = (
    r"comes too late: the device of {0} has already started.*Move the setting above the first "
    r"operation on {0}, and restart the process \(in a notebook, the kernel\)$"
)


@pytest.mark.parametrize("text", [form for form in FORMS if form not in ("default", "only:jax")])
def test_jax_has_started_by_itself(frameworks, text):
    frameworks.put("jax", FakeJax(live=True))
    with (
        ub.use(memory=text),
        pytest.raises(MemoryPolicyError, match=TOO_LATE.format("jax")) as error,
    ):
        put_in_force(parse(text), "jax", "auto")
    assert f"(from: ub.use(...) at {__file__}:" in str(error.value)
    assert (frameworks.env, memory._in_force) == ({}, {})


@pytest.mark.parametrize(
    "text", [form for form in FORMS if form not in ("default", "only:tensorflow")]
)
def test_tensorflow_has_started_by_itself(frameworks, text):
    frameworks.put("tensorflow", FakeTensorflow(live=True))
    with pytest.raises(MemoryPolicyError, match=TOO_LATE.format("tensorflow")):
        put_in_force(parse(text), "tensorflow", "auto")
    assert (frameworks.env, memory._in_force) == ({}, {})


def test_the_other_framework_has_started_by_itself(frameworks):
    frameworks.put("tensorflow", FakeTensorflow(live=True))
    with pytest.raises(MemoryPolicyError, match=TOO_LATE.format("tensorflow")):
        put_in_force(parse("only:jax"), "jax", "auto")
    assert memory._in_force == {}


def test_started_by_itself_with_the_default(frameworks):
    frameworks.put("jax", FakeJax(live=True))
    frameworks.put("tensorflow", FakeTensorflow(live=True))
    put_in_force(parse("default"), "jax", "auto")
    put_in_force(parse("default"), "tensorflow", "auto")


def test_started_by_itself_and_the_cpu_is_asked_for(frameworks):
    frameworks.put("jax", FakeJax(live=True))
    frameworks.put("tensorflow", FakeTensorflow(live=True))
    with pytest.raises(MemoryPolicyError, match=r"device='cpu' \(from.*" + TOO_LATE.format("jax")):
        put_in_force(parse("default"), "jax", "cpu")
    with pytest.raises(MemoryPolicyError, match=r"device='cpu' .*" + TOO_LATE.format("tensorflow")):
        put_in_force(parse("default"), "tensorflow", "cpu")
    frameworks.put("jax", FakeJax(live=True, platform="cpu"))  # there it is already
    frameworks.put("tensorflow", FakeTensorflow(gpus=0, live=True))
    put_in_force(parse("default"), "jax", "cpu")
    put_in_force(parse("default"), "tensorflow", "cpu")


@pytest.mark.parametrize("change", [{"memory": "fraction:0.1"}, {"device": "cpu"}])
def test_settings_that_change_too_late(frameworks, change):
    put_in_force(parse("default"), "jax", "auto")
    before = ub.settings()
    held = r"has already started with memory='default' and device='auto'"
    with pytest.raises(MemoryPolicyError, match=rf"\(from: ub\.configure.*{held}") as error:
        ub.configure(**change)
    assert re.search(TOO_LATE.format("jax"), str(error.value))
    with pytest.raises(MemoryPolicyError, match=rf"\(from: ub\.use.*{held}"), ub.use(**change):
        pytest.fail("entered")
    assert ub.settings() is before


def test_settings_that_change_to_what_holds(frameworks):
    with ub.use(memory="fraction:0.4"):
        put_in_force(parse("fraction:0.4"), "jax", "auto")
    with ub.use(x64=True):  # says nothing about memory
        pass
    with ub.use(memory="fraction:40%"):  # the same in other words
        pass


def test_a_framework_that_has_not_started_may_change(frameworks):
    with ub.use(memory="grow"), ub.use(memory="fraction:0.4"):
        put_in_force(parse("fraction:0.4"), "tensorflow", "auto")


def test_starting_again_with_another_policy(frameworks):
    put_in_force(parse("grow"), "jax", "auto")
    with pytest.raises(MemoryPolicyError, match=r"started with memory='grow' and device='auto'"):
        put_in_force(parse("fraction:0.4"), "jax", "auto")


# ---- the frameworks themselves, each in a process of its own -----------------------------------


def run(program):
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("UNIBACKEND", "XLA", "JAX", "TF_"))
    }
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**environment, "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_jax_reads_what_was_set():
    run(
        """
        import jax
        import unibackend as ub
        from jaxlib.xla_client import generate_pjrt_gpu_plugin_options
        from unibackend._memory_knobs import _jax_is_live
        from unibackend.memory import parse, put_in_force

        assert not _jax_is_live(jax)
        put_in_force(parse("fraction:0.4"), "jax", "auto")
        options = generate_pjrt_gpu_plugin_options()
        assert options["memory_fraction"] == 0.4 and options["preallocate"] is False, options
        assert not _jax_is_live(jax)
        assert jax.numpy.ones(2).sum() == 2
        assert _jax_is_live(jax)
        ub.configure(memory="fraction:40%")
        try:
            ub.configure(memory="grow")
        except RuntimeError as error:
            assert "comes too late" in str(error)
        else:
            raise AssertionError
        """
    )


def test_jax_is_kept_on_the_cpu():
    run(
        """
        import jax
        from unibackend.memory import parse, put_in_force

        put_in_force(parse("default"), "jax", "cpu")
        assert jax.config.jax_platforms == "cpu"
        assert jax.default_backend() == "cpu"
        """
    )


def test_tensorflow_is_configured():
    """GPUs are feigned in TensorFlow's list of devices; nothing is started until the end."""
    run(
        """
        import os
        import tensorflow as tf
        from tensorflow.python.eager import context as private
        from unibackend import _memory_knobs as knobs, memory
        from unibackend.memory import parse, put_in_force

        context = private.context()
        assert not tf.config.get_visible_devices("GPU")
        gpus = [tf.config.PhysicalDevice(f"/physical_device:GPU:{i}", "GPU") for i in (0, 1)]
        context._physical_devices += gpus
        context._visible_device_list += gpus
        context._memory_growth_map.update({gpu: None for gpu in gpus})
        knobs._gpu_bytes = lambda: 10 * 2**30

        assert not knobs._tensorflow_is_live(tf)
        put_in_force(parse("grow"), "tensorflow", "auto")
        assert [tf.config.experimental.get_memory_growth(gpu) for gpu in gpus] == [True, True]
        assert context.config.gpu_options.allow_growth

        memory._in_force.clear()
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, False)
        put_in_force(parse("fraction:0.4"), "tensorflow", "auto")
        for gpu in gpus:
            (logical,) = tf.config.get_logical_device_configuration(gpu)
            assert logical.memory_limit == 4096
        assert os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] == "true"

        memory._in_force.clear()
        put_in_force(parse("only:jax"), "tensorflow", "auto")
        assert not tf.config.get_visible_devices("GPU")
        assert not knobs._tensorflow_is_live(tf)
        assert tf.ones(2).shape == (2,)
        assert knobs._tensorflow_is_live(tf)
        """
    )
