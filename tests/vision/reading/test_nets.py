"""The files of the networks."""

from __future__ import annotations

from importlib import resources

import pytest

from vision.reading.nets import load

NAMES = sorted(file.name for file in (resources.files("vision.reading") / "networks").iterdir() if file.is_file())


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".onnx")])
def test_the_classic_engine_runs_them(name: str) -> None:
    """OpenCV 5.0 takes the other for what it reads from bytes, whatever is asked for; it has layers of its own."""
    net = load(name)
    kinds = {net.getLayer(net.getLayerId(layer)).type for layer in net.getLayerNames()}
    assert kinds & {"Convolution", "InnerProduct", "Gemm"}
    assert not kinds & {"Conv2", "TransformLayout"}
