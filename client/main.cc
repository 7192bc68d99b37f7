#include "client/application.h"

int main(int argument_count, char** arguments) {
  return static_cast<int>(roar::RunApplication(argument_count, arguments));
}
