#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/experiment/random_stream.h"

// A problem whose important features are known: x = a z / 10 + d eta + e / 10 in R^16, with z, eta and e one N(0, 1)
// each per sample, and the label z > 0. Only the four features with a != 0 carry z, and any one suffices, since the
// others give eta and e away. Masking in the true order therefore keeps 100 % up to three features and leaves a coin
// toss at four. With the importance abs(coefficient), Recursive ROAR finds that order and ROAR does not.
// Madsen et al., arXiv 2110.08412, the appendix on the synthetic problem.

namespace roar {
namespace {

constexpr std::size_t kFeatures = 16;
using Vector = std::array<double, kFeatures>;
using Matrix = std::array<Vector, kFeatures>;

constexpr Vector kSignal = {.1257, -.1321, .6404, .1049};
constexpr Vector kNoise = {-.5357, .3616,  1.304,   .9471,  -.7037, -1.2654, -.6233, .0413,
                           -2.325, -.2188, -1.2459, -.7323, -.5443, -.3163,  .4116,  1.0425};

struct Sample {
  Vector x;
  bool positive;
};

std::vector<Sample> MakeSamples(std::int64_t seed, std::size_t count) {
  RandomStream stream(seed, "synthetic");
  std::vector<Sample> samples(count);
  for (Sample& sample : samples) {
    const double z = stream.Normal(), eta = stream.Normal(), e = stream.Normal();
    for (std::size_t i = 0; i < kFeatures; ++i) sample.x[i] = kSignal[i] * z / 10 + kNoise[i] * eta + e / 10;
    sample.positive = z > 0;
  }
  return samples;
}

double Dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

// Solves A s = b in place by Cholesky, for a symmetric positive definite A.
Vector Solve(Matrix a, Vector b) {
  for (std::size_t i = 0; i < kFeatures; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(sum) : sum / a[j][j];
    }
  }
  for (std::size_t i = 0; i < kFeatures; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = kFeatures; i-- > 0;) {
    for (std::size_t k = i + 1; k < kFeatures; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

// Unpenalised logistic regression by Newton's method from zero. Two things keep it finite. The samples span three
// dimensions only, so the Hessian is singular: a damping far below its smallest other eigenvalue picks the step within
// that span. And the classes are separable, so the best coefficients are infinite: their direction settles at once and
// each further step adds length alone, so a fixed number of steps is enough.
Vector FitLogisticRegression(const std::vector<Sample>& samples) {
  constexpr int kSteps = 12;
  constexpr double kDamping = 1e-9;
  Vector coefficients{};
  for (int step = 0; step < kSteps; ++step) {
    Vector gradient{};
    Matrix hessian{};
    for (const Sample& sample : samples) {
      const double p = 1 / (1 + std::exp(-Dot(coefficients, sample.x)));
      const double residual = (sample.positive ? 1 : 0) - p;
      for (std::size_t i = 0; i < kFeatures; ++i) {
        gradient[i] += residual * sample.x[i] / static_cast<double>(samples.size());
        const double weighted = p * (1 - p) * sample.x[i] / static_cast<double>(samples.size());
        for (std::size_t j = 0; j < kFeatures; ++j) hessian[i][j] += weighted * sample.x[j];
      }
    }
    for (std::size_t i = 0; i < kFeatures; ++i) hessian[i][i] += kDamping;
    const Vector change = Solve(hessian, gradient);
    for (std::size_t i = 0; i < kFeatures; ++i) coefficients[i] += change[i];
  }
  return coefficients;
}

double Accuracy(const Vector& coefficients, const std::vector<Sample>& samples) {
  const auto right = std::count_if(samples.begin(), samples.end(), [&](const Sample& sample) {
    return (Dot(coefficients, sample.x) > 0) == sample.positive;
  });
  return static_cast<double>(right) / static_cast<double>(samples.size());
}

void Mask(std::vector<Sample>& samples, std::size_t feature) {
  for (Sample& sample : samples) sample.x[feature] = 0;
}

// The unmasked feature with the largest abs(coefficient).
std::size_t MostImportant(const Vector& coefficients, const std::array<bool, kFeatures>& masked) {
  std::size_t best = kFeatures;
  for (std::size_t i = 0; i < kFeatures; ++i) {
    if (masked[i]) continue;
    if (best == kFeatures || std::abs(coefficients[i]) > std::abs(coefficients[best])) best = i;
  }
  return best;
}

enum class Ranking { kFirstModel, kNewestModel };

// Test accuracy with 0, 1, ... 10 features masked, the model fitted again each time.
std::vector<double> Curve(Ranking ranking) {
  std::vector<Sample> train = MakeSamples(0, 4000);
  std::vector<Sample> test = MakeSamples(1, 4000);
  std::array<bool, kFeatures> masked{};
  Vector coefficients = FitLogisticRegression(train);
  Vector importance = coefficients;
  std::vector<double> accuracies = {Accuracy(coefficients, test)};
  for (int count = 1; count <= 10; ++count) {
    const std::size_t feature = MostImportant(importance, masked);
    masked[feature] = true;
    Mask(train, feature);
    Mask(test, feature);
    coefficients = FitLogisticRegression(train);
    if (ranking == Ranking::kNewestModel) importance = coefficients;
    accuracies.push_back(Accuracy(coefficients, test));
  }
  return accuracies;
}

// 100 % to the nearest per cent while `last_right` features are masked, then 50 % within three standard deviations of
// 4,000 coin tosses.
void ExpectFallAfter(const std::vector<double>& accuracies, std::size_t last_right) {
  for (std::size_t masked = 0; masked < accuracies.size(); ++masked) {
    if (masked <= last_right) {
      EXPECT_GT(accuracies[masked], 0.995) << masked << " masked";
    } else {
      EXPECT_NEAR(accuracies[masked], 0.5, 0.024) << masked << " masked";
    }
  }
}

TEST(SyntheticRoar, RecursiveRoarFallsWithTheFourthFeatureAsTheTruthDoes) {
  ExpectFallAfter(Curve(Ranking::kNewestModel), 3);
}

TEST(SyntheticRoar, RoarIsBlindToRedundantFeaturesAndFallsWithTheTenth) {
  ExpectFallAfter(Curve(Ranking::kFirstModel), 9);
}

}  // namespace
}  // namespace roar
