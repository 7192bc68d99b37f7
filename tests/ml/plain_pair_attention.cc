#include "tests/ml/plain_pair_attention.h"

#include <cmath>
#include <cstddef>

namespace roar::ml {
namespace {

using Vector = std::vector<double>;

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

struct Twin {
  const PlainPairAttention& model;

  double At(const std::string& name, std::size_t index) const { return model.parameters.at(name).at(index); }

  // weight [outputs, inputs] times x, plus bias when there is one.
  Vector Linear(const std::string& layer, const Vector& x, int outputs) const {
    Vector y(outputs);
    for (int o = 0; o < outputs; ++o) {
      if (model.parameters.contains(layer + ".bias")) y[o] = At(layer + ".bias", o);
      for (std::size_t i = 0; i < x.size(); ++i) y[o] += At(layer + ".weight", o * x.size() + i) * x[i];
    }
    return y;
  }

  Vector Embedding(const std::string& encoder, int token) const {
    Vector row(model.embedding_size);
    for (int i = 0; i < model.embedding_size; ++i) {
      row[i] = At(encoder + ".embedding.weight", token * model.embedding_size + i);
    }
    return row;
  }

  // One step of one direction: i, f, o = sigmoid(...), g = tanh(...), c = f c + i g, h = o tanh(c).
  void Step(const std::string& bilstm, int direction, const Vector& x, Vector& h, Vector& c) const {
    const int hidden = model.hidden_size;
    const auto gate = [&](int gate_index, int unit, const Vector& state) {
      const int column = gate_index * hidden + unit, width = 4 * hidden;
      double sum = At(bilstm + ".input_bias", direction * width + column) +
                   At(bilstm + ".recurrent_bias", direction * width + column);
      for (int k = 0; k < model.embedding_size; ++k) {
        sum += At(bilstm + ".input_weight", (direction * model.embedding_size + k) * width + column) * x[k];
      }
      for (int k = 0; k < hidden; ++k) {
        sum += At(bilstm + ".recurrent_weight", (direction * hidden + k) * width + column) * state[k];
      }
      return sum;
    };
    const Vector before = h;
    for (int unit = 0; unit < hidden; ++unit) {
      const double input = Sigmoid(gate(0, unit, before)), forget = Sigmoid(gate(1, unit, before));
      const double output = Sigmoid(gate(2, unit, before)), candidate = std::tanh(gate(3, unit, before));
      c[unit] = forget * c[unit] + input * candidate;
      h[unit] = output * std::tanh(c[unit]);
    }
  }

  // The states [forward; backward] at each position.
  std::vector<Vector> Encode(const std::string& encoder, const std::vector<std::int32_t>& tokens) const {
    const int hidden = model.hidden_size, length = static_cast<int>(tokens.size());
    std::vector<Vector> states(length, Vector(2 * hidden));
    for (int direction = 0; direction < 2; ++direction) {
      Vector h(hidden), c(hidden);
      for (int step = 0; step < length; ++step) {
        const int t = direction == 0 ? step : length - 1 - step;
        Step(encoder + ".bilstm", direction, Embedding(encoder, tokens[t]), h, c);
        for (int unit = 0; unit < hidden; ++unit) states[t][direction * hidden + unit] = h[unit];
      }
    }
    return states;
  }

  Vector Attend(const std::vector<std::int32_t>& tokens, const std::vector<Vector>& states, const Vector& query) const {
    Vector weights(tokens.size());
    const Vector from_query = Linear("attention.second", query, model.hidden_size);
    double sum = 0;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t] < 3) continue;
      Vector hidden = Linear("attention.first", states[t], model.hidden_size);
      for (int i = 0; i < model.hidden_size; ++i) hidden[i] = std::tanh(hidden[i] + from_query[i]);
      weights[t] = std::exp(Linear("attention.score", hidden, 1)[0]);
      sum += weights[t];
    }
    for (double& weight : weights) weight = sum == 0 ? 0 : weight / sum;
    return weights;
  }
};

}  // namespace

PlainPairAttention::Output PlainPairAttention::Run(const EncodedExample& example) const {
  const Twin twin{*this};
  const std::vector<Vector> states = twin.Encode("first_encoder", example.tokens);
  const std::vector<Vector> second_states = twin.Encode("second_encoder", example.second_tokens);
  Vector query(2 * hidden_size), context(2 * hidden_size);
  for (int unit = 0; unit < hidden_size; ++unit) {
    query[unit] = second_states.back()[unit];
    query[hidden_size + unit] = second_states.front()[hidden_size + unit];
  }
  const Vector attention = twin.Attend(example.tokens, states, query);
  for (std::size_t t = 0; t < states.size(); ++t) {
    for (int i = 0; i < 2 * hidden_size; ++i) context[i] += attention[t] * states[t][i];
  }
  Vector joined = twin.Linear("context_layer", context, hidden_size);
  const Vector from_query = twin.Linear("query_layer", query, hidden_size);
  for (int i = 0; i < hidden_size; ++i) joined[i] = std::tanh(joined[i] + from_query[i]);
  return {twin.Linear("output_layer", joined, class_count), attention};
}

}  // namespace roar::ml
