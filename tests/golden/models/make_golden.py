"""Golden values of the two BiLSTM-with-attention classifiers and their importance measures.

    pip install jax numpy
    python make_golden.py        # writes single.json and pair.json beside itself

Written from the formulas of the published method: one sequence at a time, one token at a time, in float64, without
padding or batches; every gradient is JAX's. Shares nothing with the C++ but names and layouts of parameters. LSTM
weights are [direction, input, gate columns] with the gates in the order input, forget, output, candidate.

Before anything is written, integrated gradients are checked against networks whose answer is known (the C++ has no
routine for an arbitrary function, so they are checked here) and, for every example, against completeness: the signed
textbook values add up to y(x) - y(0) within the error of the Riemann sum.
"""

import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

VOCABULARY, EMBEDDING, CLASSES, STEPS = 12, 5, 3, 50
FIRST_MASKABLE = 3  # 0 [PAD], 1 [CLS], 2 [EOS], 3 [MASK], 4 [UNK], then words

# Tokens, second tokens (pair model only), label.
EXAMPLES = [
    ([1, 5, 6, 7, 8, 9, 2], [1, 6, 2], 0),
    ([1, 10, 2], [1, 9, 5, 7, 11, 2], 2),  # one token; the second sequence is the longer one
    ([1, 3, 3, 3, 3, 2], [1, 4, 8, 2], 1),  # all masked
    ([1, 8, 5, 8, 8, 5, 11, 8, 2], [1, 5, 5, 2], 2),  # repeated words
    ([1, 2], [1, 7, 10, 2], 1),  # nothing maskable
    ([1, 7, 3, 4, 9, 6, 3, 10, 5, 11, 2], [1, 2], 0),
]


# ---- The models. p: parameters by name.


def linear(p, name, x):
    return p[name + ".weight"] @ x + p.get(name + ".bias", 0)


def lstm(p, name, direction, inputs):
    """The state after each step."""
    w, u = p[name + ".input_weight"][direction], p[name + ".recurrent_weight"][direction]
    bias = p[name + ".input_bias"][direction, 0] + p[name + ".recurrent_bias"][direction, 0]
    h = c = jnp.zeros(u.shape[0])
    states = []
    for x in inputs:
        i, f, o, candidate = jnp.split(x @ w + h @ u + bias, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(candidate)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        states.append(h)
    return states


def bilstm(p, name, inputs):
    """h_t = [forward; backward] of every token, and [last forward; last backward]."""
    forward = lstm(p, name, 0, inputs)
    backward = lstm(p, name, 1, inputs[::-1])[::-1]
    return [jnp.concatenate(both) for both in zip(forward, backward)], jnp.concatenate([forward[-1], backward[0]])


def attend(tokens, scores, states):
    """alpha: softmax over the maskable tokens, 0 elsewhere; and sum alpha_t h_t."""
    powers = [jnp.exp(s) if token >= FIRST_MASKABLE else 0.0 for token, s in zip(tokens, scores)]
    total = sum(powers)
    alpha = [power / total if token >= FIRST_MASKABLE else 0.0 for token, power in zip(tokens, powers)]
    return alpha, sum(a * h for a, h in zip(alpha, states))


def single(p, example, embedded):
    """score_t = w2' tanh(W1 h_t + b1); logits = W context + b."""
    tokens, _, _ = example
    states, _ = bilstm(p, "encoder.bilstm", embedded)
    scores = [linear(p, "attention.score", jnp.tanh(linear(p, "attention.first", h)))[0] for h in states]
    alpha, context = attend(tokens, scores, states)
    return linear(p, "output_layer", context), alpha


def pair(p, example, embedded):
    """score_t = w2' tanh(W1p h_t + b + W1q q + b'); logits = W_f tanh(W_p context + b_p + W_q q + b_q) + b_f."""
    tokens, second_tokens, _ = example
    states, _ = bilstm(p, "first_encoder.bilstm", embedded)
    _, q = bilstm(p, "second_encoder.bilstm", p["second_encoder.embedding.weight"][jnp.array(second_tokens)])
    from_q = linear(p, "attention.second", q)
    scores = [linear(p, "attention.score", jnp.tanh(linear(p, "attention.first", h) + from_q))[0] for h in states]
    alpha, context = attend(tokens, scores, states)
    joined = jnp.tanh(linear(p, "context_layer", context) + linear(p, "query_layer", q))
    return linear(p, "output_layer", joined), alpha


def encoder_shapes(name, hidden):
    return {
        name + ".embedding.weight": (VOCABULARY, EMBEDDING),
        name + ".bilstm.input_weight": (2, EMBEDDING, 4 * hidden),
        name + ".bilstm.recurrent_weight": (2, hidden, 4 * hidden),
        name + ".bilstm.input_bias": (2, 1, 4 * hidden),
        name + ".bilstm.recurrent_bias": (2, 1, 4 * hidden),
    }


def linear_shapes(name, rows, columns):
    return {name + ".weight": (rows, columns), name + ".bias": (rows,)}


def single_shapes(hidden):
    return (encoder_shapes("encoder", hidden) | linear_shapes("attention.first", hidden, 2 * hidden)
            | {"attention.score.weight": (1, hidden)} | linear_shapes("output_layer", CLASSES, 2 * hidden))


def pair_shapes(hidden):
    wide = ["attention.first", "attention.second", "context_layer", "query_layer"]
    shapes = encoder_shapes("first_encoder", hidden) | encoder_shapes("second_encoder", hidden)
    for name in wide:
        shapes |= linear_shapes(name, hidden, 2 * hidden)
    return shapes | {"attention.score.weight": (1, hidden)} | linear_shapes("output_layer", CLASSES, hidden)


def make_parameters(shapes, seed):
    """Multiples of 1/256, so that they are exact in float32 and in short decimals. The padding row is zero."""
    generator = np.random.default_rng(seed)
    p = {name: np.round(256 * generator.normal(0, 1, shape)) / 256 for name, shape in shapes.items()}
    for name in p:
        if name.endswith("embedding.weight"):
            p[name][0] = 0
    return {name: jnp.array(values) for name, values in p.items()}


# ---- Importance measures.


def integrated_gradient(gradient, x, steps, published):
    """Signed, per element: mean over i = 1..N of gradient(x i/N) * x, each times i/N in the published variant."""
    shares = [i / steps for i in range(1, steps + 1)]
    return sum((s if published else 1) * gradient(x * s) * x for s in shares) / steps


def scores_of(model, p, embedding_name, example):
    tokens, _, label = example
    e = p[embedding_name][jnp.array(tokens)]
    true_logit = jax.jit(lambda embedded: model(p, example, embedded)[0][label])
    gradient = jax.jit(jax.grad(true_logit))
    textbook = integrated_gradient(gradient, e, STEPS, published=False)
    check_completeness(true_logit, gradient, e, textbook)
    published = integrated_gradient(gradient, e, STEPS, published=True)
    return {
        "attention": model(p, example, e)[1],
        "gradient": jnp.linalg.norm(gradient(e) @ p[embedding_name].T, axis=1),
        "input_times_gradient": jnp.abs((gradient(e) * e).sum(1)),
        "integrated_gradient_published": jnp.abs(published.sum(1)),
        "integrated_gradient_textbook": jnp.abs(textbook.sum(1)),
    }


def check_completeness(y, gradient, x, textbook):
    slopes = np.array([(gradient(x * (i / STEPS)) * x).sum() for i in range(STEPS + 1)])
    riemann_error = np.abs(np.diff(slopes)).sum() / STEPS  # a right sum is off by at most the total variation times 1/N
    assert abs(textbook.sum() - (y(x) - y(jnp.zeros_like(x)))) <= riemann_error + 1e-12


def check_known_networks():
    relu = jax.nn.relu
    f = lambda x: relu(relu(x[0]) - 1 - relu(x[1]))
    g = lambda x: relu(relu(x[0] - 1) - relu(x[1]))  # the same function, another network
    for network in (f, g):
        for published, expected in ((False, (1.5, -0.5)), (True, (1.14, -0.38))):
            ig = integrated_gradient(jax.grad(network), jnp.array([3.0, 1.0]), 50, published)
            np.testing.assert_allclose(ig, expected, rtol=1e-12)

    y = lambda x: relu(jnp.ones((4, 3)) @ x + jnp.array([-10.0, 1, 1, 1])).sum() - 1
    x = jnp.array([20.0, 50.0, 30.0])
    np.testing.assert_allclose(y(x), 392)
    np.testing.assert_allclose(jax.grad(y)(x), [4, 4, 4])
    for steps, published, factor in ((25, False, 3.92), (25, True, 2.0752)):
        np.testing.assert_allclose(integrated_gradient(jax.grad(y), x, steps, published), factor * x, rtol=1e-12)
    exact = integrated_gradient(jax.grad(y), x, 1000, published=False)
    np.testing.assert_allclose(exact, [78, 195, 117], rtol=1e-12)  # its kink is a step's end, so the sum is exact


# ---- The file.


def rounded(values):
    """To 9 digits, as nested lists."""
    return np.vectorize(lambda value: float(f"{value:.9g}"))(np.asarray(values, dtype=float)).tolist()


def make_case(model, shapes, embedding_name, hidden, seed):
    p = make_parameters(shapes(hidden), seed)

    def outputs(p):
        return [model(p, example, p[embedding_name][jnp.array(example[0])])[0] for example in EXAMPLES]

    def loss(p):
        losses = [-jax.nn.log_softmax(logits)[label] for logits, (_, _, label) in zip(outputs(p), EXAMPLES)]
        return sum(losses) / len(losses)

    gradients = jax.grad(loss)(p)
    assert min(jnp.abs(values).max() for values in gradients.values()) > 0.01, "saturated: take another seed"
    scores = [scores_of(model, p, embedding_name, example) for example in EXAMPLES]
    is_pair = model is pair
    return {
        "sizes": {"vocabulary_size": VOCABULARY, "class_count": CLASSES, "embedding_size": EMBEDDING,
                  "hidden_size": hidden},
        "examples": [{"tokens": tokens, "second_tokens": second if is_pair else [], "label": label}
                     for tokens, second, label in EXAMPLES],
        "parameters": {name: {"shape": list(values.shape), "values": values.ravel().tolist()}
                       for name, values in p.items()},
        "expected": {
            "loss": rounded(loss(p)),
            "logits": rounded(outputs(p)),
            "gradients": {name: rounded(values.ravel()) for name, values in gradients.items()},
            # Per measure, example and token, [CLS] and [EOS] included.
            "scores": {measure: [rounded(of_example[measure]) for of_example in scores] for measure in scores[0]},
        },
    }


def text_of(value, indent=""):
    """JSON with one list of numbers per line."""
    if isinstance(value, dict) and not all(isinstance(item, (int, float)) for item in value.values()):
        inner = indent + "  "
        items = [f"{inner}{json.dumps(key)}: {text_of(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(items) + "\n" + indent + "}"
    if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        return "[\n" + ",\n".join(f"{indent}  {json.dumps(item)}" for item in value) + "\n" + indent + "]"
    return json.dumps(value)


if __name__ == "__main__":
    check_known_networks()
    cases = {
        "single": make_case(single, single_shapes, "encoder.embedding.weight", hidden=4, seed=13),
        "pair": make_case(pair, pair_shapes, "first_encoder.embedding.weight", hidden=3, seed=14),
    }
    for name, case in cases.items():
        (pathlib.Path(__file__).parent / f"{name}.json").write_text(text_of(case) + "\n")
