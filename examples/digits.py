"""Recognise handwritten digits by attention, on the backend that the settings choose.

Run it on any of them; the scores agree (``unibackend demo`` proves it)::

    python examples/digits.py
    UNIBACKEND_BACKEND=tensorflow python examples/digits.py
    unibackend run --backend numpy examples/digits.py
"""

import numpy as np
from sklearn.datasets import load_digits

import unibackend as ub

SHARPNESS = 64.0  # how much more the most similar images count


def load() -> tuple[np.ndarray, np.ndarray]:
    """Return the 1797 images, as unit vectors of 64 pixels, and the digit that each shows."""
    pixels, digits = load_digits(return_X_y=True)
    images = pixels / np.linalg.norm(pixels, axis=1, keepdims=True)
    return images.astype(np.float32), digits


def score(image: ub.Array, known: ub.Array, digits: ub.Array) -> ub.Array:
    """Return how much one image looks like each of the ten digits; the scores add up to 1.

    Every known image votes for its digit with the weight that softmax gives to its similarity.
    """
    similarity = SHARPNESS * ub.matmul(known, image)
    attention = ub.exp(similarity - ub.max(similarity))  # without the maximum, exp overflows
    votes = ub.equal(ub.reshape(digits, (-1, 1)), ub.arange(10))  # one row per known image
    return ub.matmul(attention, ub.astype(votes, ub.float32)) / ub.sum(attention)


classify = ub.vmap(score, in_axes=(0, None, None))  # many images, the same known ones


def main() -> None:
    """Learn from the first 1297 images, guess the other 500, print how many were right."""
    images, digits = load()
    scores = ub.compile(classify)(images[1297:], images[:1297], digits[:1297])
    guesses = ub.to_numpy(ub.argmax(scores, axis=-1))
    right = np.mean(guesses == digits[1297:])
    print(f"{ub.backend_of(scores)}: {right:.1%} of {len(guesses)} images recognised")


if __name__ == "__main__":
    main()
