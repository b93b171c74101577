#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "settings/config_json.h"
#include "settings/gan_table.h"
#include "settings/training_checks.h"
#include "settings/training_table.h"

namespace sotto::settings {
namespace {

using testing::HasSubstr;

template <typename Table>
void expect_distinct(const Table& table) {
  std::set<std::string> keys;
  std::set<std::string> flags;
  for (const auto& setting : table) {
    if (setting.key != nullptr) {
      EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
    }
    if (setting.flags == nullptr) continue;
    EXPECT_TRUE(flags.insert(long_flag(setting.flags)).second) << setting.flags;
    EXPECT_TRUE(setting.parse != nullptr) << setting.flags;
    EXPECT_EQ(setting.applies == nullptr, setting.needed == nullptr) << setting.flags;
  }
}

TEST(Tables, NameEverySettingOnce) {
  expect_distinct(training_settings());
  expect_distinct(gan_settings());
}

template <typename Config>
const Setting<Config>& setting_of(Table<Config> table, const std::string& flag) {
  for (const auto& setting : table) {
    if (setting.flags != nullptr && long_flag(setting.flags) == flag) return setting;
  }
  throw std::out_of_range(flag);
}

const std::string kFile = SOTTO_SOURCE_DIR "/README.md";

// A value other than the default for every flag that takes one.
const std::map<std::string, std::string> kTrainingTexts = {
    {"--dataset", "digits"},
    {"--schema", kFile},
    {"--test-data", kFile},
    {"--held-out-epsilon", "0.5"},
    {"--class-names", "a,b"},
    {"--classes", "7"},
    {"--image-size", "9"},
    {"--image-channels", "3"},
    {"--image-factor", "4"},
    {"--method", "clipless"},
    {"--model", "mlp"},
    {"--recipe", "seed"},
    {"--hidden-units", "8"},
    {"--batch-size", "77"},
    {"--epochs", "3"},
    {"--learning-rate", "0.25"},
    {"--optimizer", "adamw"},
    {"--weight-decay", "0.01"},
    {"--average", "0.5"},
    {"--weights", kFile},
    {"--freeze", "conv*"},
    {"--export", "safetensors"},
    {"--target-epsilon", "1"},
    {"--noise-multiplier", "2"},
    {"--group-size", "3"},
    {"--delta", "1e-6"},
    {"--max-grad-norm", "0.1"},
    {"--clipping", "automatic"},
    {"--sampling", "fixed-size"},
    {"--adjacency", "replace-one"},
    {"--loss", "kr"},
    {"--temperature", "2"},
    {"--margin", "3"},
    {"--input-bound", "4"},
    {"--noise-strategy", "per-layer"},
    {"--gradients", "graph"},
    {"--max-physical-batch-size", "16"},
    {"--memory-limit", "1GiB"},
    {"--seed", "5"},
    {"--insecure-seed", "6"},
};

TEST(Tables, EveryFlagOfTrainingReachesTheFileAndComesBack) {
  for (const auto& setting : training_settings()) {
    if (setting.flags == nullptr) continue;
    const auto flag = long_flag(setting.flags);
    TrainingConfig config;
    const auto before = json_of(config);
    const bool is_switch = setting.form == Form::kSwitch;
    ASSERT_TRUE(is_switch || kTrainingTexts.contains(flag)) << flag << ": add a value to the test";
    read(setting, is_switch ? "true" : kTrainingTexts.at(flag), config);
    const auto after = json_of(config);
    EXPECT_NE(after, before) << flag;
    EXPECT_EQ(json_of(training_config_from_json(after)), after) << flag;
  }
}

TEST(Tables, RefusalsOfWordsNameTheAcceptedOnes) {
  TrainingConfig config;
  try {
    read(setting_of(training_settings(), "--gradients"), "fast", config);
    FAIL();
  } catch (const NotAccepted& error) {
    EXPECT_STREQ(error.what(), "expected auto, fused or graph");
  }
}

TEST(Tables, UnknownModelsAreRefusedWithTheKnownOnes) {
  TrainingConfig config;
  const auto model = setting_of(training_settings(), "--model");
  try {
    read(model, "nomodel", config);
    FAIL();
  } catch (const NotAccepted& error) {
    EXPECT_THAT(error.what(), HasSubstr("softmax"));
    EXPECT_THAT(error.what(), HasSubstr("or with method clipless lip-cnn, lip-mlp"));
    EXPECT_THAT(error.worded([](const std::string& key) { return "--" + key; }),
                HasSubstr("or with --method clipless lip-cnn"));
  }
  for (const auto* name : {"vgg16", "lip-resnet"}) EXPECT_NO_THROW(read(model, name, config));
}

TEST(Consistency, SettingsThatContradictEachOtherAreRefusedWithoutData) {
  const auto message_of = [](const TrainingConfig& config) -> std::string {
    try {
      require_consistent(config);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  TrainingConfig config;
  EXPECT_EQ(message_of(config), "");
  config.model = "lip-mlp";
  EXPECT_THAT(message_of(config), HasSubstr("trained with method clipless"));
  config.method = TrainingMethod::kClipless;
  EXPECT_EQ(message_of(config), "");
  config.model = "cnn";
  EXPECT_THAT(message_of(config), HasSubstr("clipless takes lip-cnn, lip-mlp, lip-resnet"));
  config = {};
  config.disable_dp = config.show_norms = true;
  EXPECT_THAT(message_of(config), HasSubstr("no norms to show"));
  config = {};
  config.epochs = 2'000'000;
  EXPECT_THAT(message_of(config), HasSubstr("epochs must be from 1 to 1000000"));
}

TEST(Tables, LossesOfOneScoreAreForTheLibrary) {
  TrainingConfig config;
  EXPECT_THROW(read(setting_of(training_settings(), "--loss"), "hinge", config), NotAccepted);
  config.clipless.loss = LossKind::kHinge;
  EXPECT_EQ(training_config_from_json(json_of(config)).clipless.loss, LossKind::kHinge);
}

TEST(Tables, MissingUnknownAndMistypedKeysAreRefusedByName) {
  const auto whole = json_of(TrainingConfig());
  const auto message_of = [](const nlohmann::json& json) -> std::string {
    try {
      training_config_from_json(json);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  auto json = whole;
  json.erase("epochs");
  EXPECT_THAT(message_of(json), HasSubstr("'epochs'"));
  json = whole;
  json["epochs"] = "ten";
  EXPECT_THAT(message_of(json), HasSubstr("'epochs'"));
  json = whole;
  json["epoch"] = 10;
  EXPECT_THAT(message_of(json), HasSubstr("unknown key 'epoch'"));
  json = whole;
  json["clipless"]["lost"] = "kr";
  EXPECT_THAT(message_of(json), HasSubstr("unknown key 'lost'"));
  EXPECT_THAT(message_of(nlohmann::json::array()), HasSubstr("'dataset'"));
}

// What the first format did not have is what it was then.
TEST(Tables, FilesOfOlderVersionsAreRead) {
  auto json = json_of(TrainingConfig());
  for (const auto* key :
       {"clipless", "method", "gradients", "memory_limit", "hidden_units", "class_names",
        "held_out_epsilon", "show_private", "show_norms", "data_identity", "export"}) {
    json.erase(key);
  }
  EXPECT_EQ(json_of(training_config_from_json(json)), json_of(TrainingConfig()));
  auto gan = json_of(GanConfig());
  gan.erase("show_private");
  gan["data"].erase("class_names");
  gan["public_data"].erase("held_out_epsilon");
  EXPECT_EQ(json_of(gan_config_from_json(gan)), json_of(GanConfig()));
}

TEST(Tables, AGeneratorsFileSaysThatItIsOne) {
  auto json = json_of(GanConfig());
  EXPECT_EQ(json.at("kind"), "gan");
  EXPECT_EQ(json.at("data").at("dataset"), "mnist");
  json.erase("kind");
  EXPECT_THROW(gan_config_from_json(json), InvalidArgument);
}

TEST(Tables, SettingsOfOneMethodSayWhichItIs) {
  GanConfig config;  // merf
  const auto steps = setting_of(gan_settings(), "--steps");
  EXPECT_FALSE(steps.applies(config));
  config.method = GeneratorMethod::kBasic;
  EXPECT_TRUE(steps.applies(config));
  EXPECT_FALSE(setting_of(gan_settings(), "--groups").applies(config));
}

template <typename Config>
std::set<std::string> unread_under(Table<Config> table, const Config& config) {
  std::set<std::string> flags;
  for (const auto& setting : table) {
    if (!why_unread(setting, config).empty()) flags.insert(long_flag(setting.flags));
  }
  return flags;
}

const std::set<std::string> kOfClipless = {"--loss", "--temperature", "--margin", "--input-bound",
                                           "--noise-strategy"};
const std::set<std::string> kOfPictureFolders = {"--class-names", "--image-size",
                                                 "--image-channels", "--image-factor"};

template <typename... Sets>
std::set<std::string> together(std::set<std::string> flags, const Sets&... others) {
  (flags.insert(others.begin(), others.end()), ...);
  return flags;
}

TEST(UnreadSettings, FollowTheDataOfATraining) {
  TrainingConfig config;  // fashion-mnist
  const auto unread = [&](const std::string& dataset) {
    config.dataset = dataset;
    return unread_under(training_settings(), config);
  };
  const auto always = together(kOfClipless, std::set<std::string>{"--hidden-units"});
  EXPECT_EQ(unread("csv:a"),
            together(always, kOfPictureFolders, std::set<std::string>{"--classes"}));
  EXPECT_EQ(unread("images:a"),
            together(always, std::set<std::string>{"--classes", "--schema", "--test-data"}));
  const std::set<std::string> of_tables{"--schema", "--test-data", "--held-out-epsilon"};
  EXPECT_EQ(unread("idx:a"), together(always, kOfPictureFolders, of_tables));
  EXPECT_EQ(unread("digits"),
            together(always, kOfPictureFolders, of_tables, std::set<std::string>{"--classes"}));
}

TEST(UnreadSettings, AreAllOfPrivacyWithoutIt) {
  TrainingConfig config;
  config.dataset = "csv:a";
  const auto before = unread_under(training_settings(), config);
  config.disable_dp = true;
  auto unread = unread_under(training_settings(), config);
  for (const auto& flag : before) unread.erase(flag);
  EXPECT_EQ(unread,
            (std::set<std::string>{"--held-out-epsilon", "--target-epsilon", "--noise-multiplier",
                                   "--delta", "--max-grad-norm", "--clipping", "--sampling",
                                   "--adjacency", "--group-size", "--max-physical-batch-size",
                                   "--memory-limit", "--show-norms"}));
}

TEST(UnreadSettings, FollowLossSamplingAndNetwork) {
  TrainingConfig config;
  config.method = TrainingMethod::kClipless;
  const auto reads = [&](const std::string& flag) {
    return !unread_under(training_settings(), config).contains(flag);
  };
  EXPECT_TRUE(reads("--margin") && reads("--noise-strategy") && !reads("--temperature"));
  config.clipless.loss = LossKind::kCrossEntropy;
  EXPECT_TRUE(!reads("--margin") && reads("--temperature"));
  EXPECT_TRUE(reads("--batch-size") && !reads("--hidden-units"));
  config.sampling = accounting::Sampling::kNone;
  EXPECT_FALSE(reads("--batch-size"));
  config.model = "vgg16";
  EXPECT_TRUE(reads("--hidden-units"));
}

TEST(UnreadSettings, OfGeneratorsFollowMethodNetworksAndPublicData) {
  GanConfig config;  // merf, mnist
  const auto reads = [&](const std::string& flag) {
    return !unread_under(gan_settings(), config).contains(flag);
  };
  EXPECT_TRUE(reads("--width") && reads("--group-size") && !reads("--public-dataset"));
  config.data.dataset = "csv:a";
  EXPECT_FALSE(reads("--width")) << "rows have no convolutions";
  EXPECT_TRUE(reads("--schema") && reads("--held-out-epsilon") && !reads("--image-size"));
  config.networks = Networks::kAutoencoder;
  EXPECT_FALSE(reads("--latent-size"));
  config.method = GeneratorMethod::kBasic;
  EXPECT_TRUE(reads("--max-grad-norm") && !reads("--public-dataset") && !reads("--groups"));
  config.pretrain_epochs = 1;
  EXPECT_TRUE(reads("--public-dataset") && reads("--i-know-pretraining-is-not-private"));
  config.public_data.dataset = "images:a";
  EXPECT_TRUE(reads("--image-size") && !reads("--i-know-pretraining-is-not-private"));
  EXPECT_FALSE(reads("--public-schema"));
  config.method = GeneratorMethod::kAdvanced;
  EXPECT_TRUE(reads("--groups") && !reads("--max-grad-norm")) << "bounds are from public data";
  config.disable_dp = true;
  for (const auto* flag : {"--groups", "--target-epsilon", "--noise-multiplier", "--delta"}) {
    EXPECT_FALSE(reads(flag)) << flag;
  }
}

TEST(UnreadSettings, SayWhatIsThereInstead) {
  TrainingConfig config;
  config.dataset = "csv:a";
  const auto classes = setting_of(training_settings(), "--classes");
  EXPECT_EQ(why_unread(classes, config), "only with --dataset idx:DIR; got csv:a");
  config.dataset = "idx:a";
  EXPECT_EQ(why_unread(classes, config), "");
}

double rate_of(const TrainingChoices& choices) {
  return TrainingConfig::suited_to(choices).learning_rate;
}

TEST(SuitedTo, SmallBatchesGetSmallRatesWhereNoiseWouldWin) {
  for (const auto* data : {"csv:a", "images:a"}) {
    TrainingChoices choices{.model = "mlp", .dataset = data};
    const double usual = rate_of(choices);
    choices.batch_size = 4096;
    EXPECT_EQ(rate_of(choices), usual);
    choices.batch_size = 64;
    EXPECT_NEAR(rate_of(choices), usual / 16, 1e-12);
    choices.disable_dp = true;
    EXPECT_EQ(rate_of(choices), 0.05);
  }
  TrainingChoices adam{.model = "mlp", .optimizer = OptimizerKind::kAdam};
  const double usual = rate_of(adam);
  adam.batch_size = 64;
  EXPECT_NEAR(rate_of(adam), usual / 4, 1e-12);
}

TEST(SuitedTo, TablesHaveSmallerRatesWithEveryOptimizer) {
  EXPECT_EQ(rate_of({.dataset = "csv:a"}), 0.2);
  EXPECT_EQ(rate_of({.dataset = "csv:a", .optimizer = OptimizerKind::kSgd}), 2);
  EXPECT_EQ(rate_of({.model = "mlp", .dataset = "csv:a"}), 0.05);
  EXPECT_EQ(rate_of({.model = "mlp", .optimizer = OptimizerKind::kSgd}), 2);
  EXPECT_EQ(rate_of({.model = "cnn", .optimizer = OptimizerKind::kSgd}), 4);
  EXPECT_EQ(rate_of({.dataset = "csv:a", .batch_size = 64}), 0.2) << "one layer bears the noise";
  EXPECT_EQ(TrainingConfig::suited_to({.disable_dp = true, .dataset = "csv:a"}).epochs, 30);
}

TEST(SuitedTo, MethodsAndNetworksHaveDefaultsOfTheirOwn) {
  const auto clipless = TrainingConfig::suited_to({.method = TrainingMethod::kClipless});
  EXPECT_EQ(clipless.model, "lip-mlp");
  EXPECT_EQ(clipless.max_grad_norm, 0.1);
  EXPECT_EQ(
      TrainingConfig::suited_to({.method = TrainingMethod::kClipless, .model = "lip-cnn"}).model,
      "lip-cnn");
  const auto vgg = TrainingConfig::suited_to({.model = "vgg16"});
  EXPECT_EQ(vgg.image_size, 224);
  EXPECT_EQ(vgg.image_channels, 3);
  auto plain = TrainingConfig::suited_to({.model = "cnn"});
  EXPECT_EQ(plain.recipe, Recipe::kSeed);
  plain.recipe.reset();
  EXPECT_EQ(json_of(plain), json_of(TrainingConfig()));
}

TEST(SuitedTo, KnownPicturesGetScatteringUnlessSomethingElseIsAskedFor) {
  const auto taken = [](const TrainingChoices& choices) {
    return *TrainingConfig::suited_to(choices).recipe;
  };
  for (const auto* dataset : {"fashion-mnist", "mnist"}) {
    const auto config = TrainingConfig::suited_to({.dataset = dataset});
    EXPECT_EQ(config.recipe, Recipe::kScatter);
    EXPECT_EQ(config.model, "scatter-linear");
    EXPECT_EQ(config.max_grad_norm, 0.1);
  }
  EXPECT_EQ(taken({.dataset = "digits"}), Recipe::kSeed);
  EXPECT_EQ(taken({.dataset = "csv:patients.csv"}), Recipe::kSeed);
  EXPECT_EQ(taken({.method = TrainingMethod::kClipless}), Recipe::kSeed);
  EXPECT_EQ(taken({.disable_dp = true}), Recipe::kSeed);
  EXPECT_EQ(taken({.optimizer = OptimizerKind::kAdam}), Recipe::kSeed);
  EXPECT_EQ(taken({.recipe = Recipe::kSeed}), Recipe::kSeed);
  EXPECT_EQ(taken({.model = "scatter-cnn", .dataset = "images:x"}), Recipe::kScatter);
}

TEST(SuitedTo, ScatteringFollowsTheBudgetAndTheBatch) {
  const auto little = TrainingConfig::suited_to({.target_epsilon = 1});
  const auto more = TrainingConfig::suited_to({.target_epsilon = 3});
  EXPECT_GT(suitable_batch_size(little, 60'000), suitable_batch_size(more, 60'000));
  EXPECT_GT(little.epochs, more.epochs);
  EXPECT_GE(suitable_batch_size(more, 2), 1);
  const auto small = TrainingConfig::suited_to({.target_epsilon = 3, .batch_size = 1024});
  EXPECT_LT(small.learning_rate, more.learning_rate / 7);
  EXPECT_GT(small.learning_rate, more.learning_rate / 9);
  for (const auto optimizer : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
    const auto config =
        TrainingConfig::suited_to({.model = "scatter-linear", .optimizer = optimizer});
    EXPECT_EQ(config.learning_rate > more.learning_rate, optimizer == OptimizerKind::kSgd);
  }
}

TEST(Recipes, DoNotFitNetworksWithSettingsOfTheirOwn) {
  auto config = TrainingConfig::suited_to({.model = "cnn", .recipe = Recipe::kScatter});
  EXPECT_THROW(require_consistent(config), InvalidArgument);
  config = TrainingConfig::suited_to({.model = "scatter-linear", .recipe = Recipe::kSeed});
  EXPECT_THROW(require_consistent(config), InvalidArgument);
  config.recipe.reset();
  EXPECT_NO_THROW(require_consistent(config));
}

TEST(SuitedTo, DefaultsFollowDataOptimizerAndPrivacy) {
  const auto table = TrainingConfig::suited_to({.dataset = "csv:patients.csv"});
  EXPECT_EQ(table.model, "softmax") << "convolutions need pictures";
  EXPECT_GT(table.max_grad_norm, TrainingConfig().max_grad_norm);
  EXPECT_EQ(TrainingConfig::suited_to({.dataset = "csv:a", .clipping = AutomaticClipping{}})
                .max_grad_norm,
            1);
  const auto adam = TrainingConfig::suited_to({.optimizer = OptimizerKind::kAdam});
  EXPECT_LT(adam.learning_rate, 0.01);
  const auto plain = TrainingConfig::suited_to({.disable_dp = true});
  EXPECT_EQ(plain.average, 0);
  EXPECT_LT(plain.learning_rate, TrainingConfig().learning_rate);
}

// With rates that suit networks, one layer does not get away from guessing.
TEST(SuitedTo, OneLayerOnATableTakesLargerStepsByAdaptiveOptimizers) {
  for (const auto optimizer :
       {OptimizerKind::kAdam, OptimizerKind::kAdamW, OptimizerKind::kRmsprop}) {
    for (const bool disable_dp : {false, true}) {
      const auto one = TrainingConfig::suited_to(
          {.disable_dp = disable_dp, .dataset = "csv:a", .optimizer = optimizer});
      const auto several = TrainingConfig::suited_to(
          {.model = "mlp", .disable_dp = disable_dp, .dataset = "csv:a", .optimizer = optimizer});
      EXPECT_GE(one.learning_rate, 10 * several.learning_rate) << to_string(optimizer);
    }
  }
}

TEST(SuitableBatchSize, FollowsTheNumberOfRecords) {
  TrainingConfig config;
  EXPECT_EQ(config.batch_size, 0) << "open until the number of records is known";
  EXPECT_EQ(TrainingConfig::suited_to({}).batch_size, 0);
  EXPECT_EQ(suitable_batch_size(config, 60'000), 1024);
  EXPECT_EQ(suitable_batch_size(config, 4096), 1024);
  EXPECT_EQ(suitable_batch_size(config, 745), 186);
  EXPECT_EQ(suitable_batch_size(config, 2), 1);
  config.disable_dp = true;
  EXPECT_EQ(suitable_batch_size(config, 60'000), 128);
  EXPECT_EQ(suitable_batch_size(config, 100), 25);
  config = TrainingConfig::suited_to({.method = TrainingMethod::kClipless});
  EXPECT_EQ(suitable_batch_size(config, 60'000), 2500);
  EXPECT_EQ(suitable_batch_size(config, 8000), 2000);
}

template <typename Config>
std::string value_behind(Table<Config> table, const std::string& flag) {
  for (const auto& setting : table) {
    if (setting.flags != nullptr && long_flag(setting.flags) == flag) return value_text(setting);
  }
  return "no such flag";
}

TEST(SettingsTables, SayWhatStandsBehindAFlag) {
  const auto training = training_settings();
  EXPECT_EQ(value_behind(training, "--epochs"), "N");
  EXPECT_EQ(value_behind(training, "--learning-rate"), "X");
  EXPECT_EQ(value_behind(training, "--group-size"), "N");
  EXPECT_EQ(value_behind(gan_settings(), "--group-size"), "N");
  EXPECT_EQ(value_behind(training, "--schema"), "FILE");
  EXPECT_EQ(value_behind(training, "--memory-limit"), "SIZE");
  EXPECT_EQ(value_behind(training, "--sampling"), "poisson|fixed-size|shuffled|none");
  EXPECT_EQ(value_behind(training, "--gradients"), "auto|fused|graph");
  EXPECT_EQ(value_behind(training, "--disable-dp"), "");
  EXPECT_EQ(value_behind(gan_settings(), "--public-dataset"), "DATA");
  for (const auto& setting : training) {
    if (setting.flags == nullptr || setting.form == Form::kSwitch) continue;
    EXPECT_NE(value_text(setting), "") << setting.flags;
  }
}

}  // namespace
}  // namespace sotto::settings
