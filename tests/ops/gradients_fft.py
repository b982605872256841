"""The derivatives of Fourier transforms."""

from __future__ import annotations

import unibackend as ub

from .gradients import NONE, call, calls

FULL = "fft.fft fft.ifft"
SEVERAL = "fft.fftn fft.ifftn"
FROM_HALF = "fft.irfft fft.hfft"
TO_HALF = "fft.rfft fft.ihfft"

for norm in ("backward", "ortho", "forward"):
    calls(f"{FULL} {FROM_HALF}", ((2, 5),), complex=f"{FULL} {FROM_HALF}", norm=norm)
    calls(f"{SEVERAL} fft.irfftn", ((3, 2),), complex=f"{SEVERAL} fft.irfftn", norm=norm)
    calls(f"{TO_HALF} fft.rfftn", ((2, 5),), ((4,),), norm=norm)
for n in (1, 3, 4, 8):
    calls(f"{FULL} {FROM_HALF} {TO_HALF}", ((4,),), complex=f"{FULL} {FROM_HALF}", n=n)
calls(f"{FULL} {FROM_HALF} {TO_HALF}", ((3, 2),), axis=0)
options = {"axes": (2, 0), "s": (3, 4)}
calls(f"{SEVERAL} fft.irfftn fft.rfftn", ((2, 1, 3),), complex=f"{SEVERAL} fft.irfftn", **options)
calls("fft.fftshift fft.ifftshift", ((2, 5),), complex="fft.fftshift")
call("fft.rfft", lambda x: ub.abs(ub.fft.rfft(x * x)) ** 2, (5,))

NONE.update(("fft.fftfreq", "fft.rfftfreq"))
