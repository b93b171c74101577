"""The explorer in headless Chromium: sliders, shared addresses, runs, layout.

Usage: browser_test.py SOTTO [SCREENSHOT_FOLDER]
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

SOTTO = ""
SCREENSHOTS = None
WIDTHS = (360, 768, 1440)
PATIENCE = 30  # seconds; nothing is measured by it
LAYOUT_FAULTS = (pathlib.Path(__file__).parent / "layout_faults.js").read_text()
WRITTEN = pathlib.Path(__file__).parent.parent / "train/written/2.14/finished"
HOSTILE = "<img src=x onerror=\"document.title='broken'\">"
SETTINGS = ("dataset_size", "batch_size", "noise_multiplier", "epochs", "delta", "target_epsilon")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_runs(folder):
    """Runs as sotto train, sotto gan and sotto sweep leave them, and one that means harm."""
    metrics = "".join(
        json.dumps({"epoch": i, "step": 59 * i, "epsilon": 1 + 0.2 * i, "test_accuracy": 0.86 - 0.3 / i}) + "\n"
        for i in range(1, 11))
    statement = {"promise": "Whatever anybody concludes from the trained model, its probability is at most "
                            "e^ε = 20.1 times what it would be without any one record, plus δ = 1e-05.",
                 "protects": "Every single record.", "sampling": "Poisson.", "noise": "Gaussian."}
    config = {"dataset": "fashion-mnist", "model": "cnn", "delta": 1e-5, "epochs": 10}
    privacy = {"private": True, "epsilon": 2.99999, "delta": 1e-5, "statement": statement, "warnings": []}
    write(folder / "fashion-mnist-cnn-20261116-065533/config.json", json.dumps(config))
    write(folder / "fashion-mnist-cnn-20261116-065533/privacy.json", json.dumps(privacy))
    write(folder / "fashion-mnist-cnn-20261116-065533/metrics.jsonl", metrics)
    write(folder / "fashion-mnist-cnn-20261116-065533/report.html",
          "<title>unread</title><h1>The report</h1><script>document.title = 'script ran'</script>")
    shutil.copytree(WRITTEN, folder / "written")
    write(folder / "generator/config.json", json.dumps({"kind": "gan", "data": {"dataset": "digits"}, "method": "merf"}))
    write(folder / "generator/metrics.jsonl", '{"step": 100, "distance": 0.5}\n{"step": 200, "distance": 0.3}\n')
    write(folder / "hostile/config.json", json.dumps({"dataset": HOSTILE, "model": [HOSTILE], HOSTILE: HOSTILE}))
    write(folder / "hostile/privacy.json", json.dumps({
        "private": True, "epsilon": HOSTILE, "delta": HOSTILE, "warnings": [HOSTILE, {"a": 1}], "statement": {"promise": HOSTILE}}))
    write(folder / "hostile/metrics.jsonl", "rubbish\n" + metrics)
    runs = [{"flags": {"learning_rate": rate, "batch_size": size, "note": HOSTILE}, "epsilon": 0.5 + rate, "accuracy": 0.7 + rate / 10}
            for rate in (0.25, 0.5, 1.0) for size in (512, 1024)]
    write(folder / "sweep-1/sweep.json", json.dumps({"runs": runs, "best": 3, "epsilon_of_tuning": 4.2}))


class ExplorerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        runs = pathlib.Path(cls.folder.name) / "runs"
        make_runs(runs)
        cls.server = subprocess.Popen([SOTTO, "explore", "--port", "0", "--no-open", "--json", "--runs", "runs"],
                                      stdout=subprocess.PIPE, cwd=cls.folder.name)
        cls.url = json.loads(cls.server.stdout.readline())["url"]
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         f"--user-data-dir={cls.folder.name}/browser"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(service=Service("chromedriver"), options=options)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.send_signal(signal.SIGTERM)
        status = cls.server.wait(PATIENCE)
        cls.server.stdout.close()
        cls.folder.cleanup()
        assert status == 0, f"the server ended with {status}"

    def setUp(self):
        self.resize(1440)
        self.set_scheme("light")

    def tearDown(self):
        complaints = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"
                      and "status of 400" not in entry["message"]]
        self.assertEqual(complaints, [])

    # What the tests say.

    def find(self, css):
        return self.browser.find_element(By.CSS_SELECTOR, css)

    def open(self, address=""):
        self.browser.get("about:blank")
        self.browser.get(self.url + address)

    def resize(self, width):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})

    def set_scheme(self, scheme):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def until(self, condition, what):
        WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05).until(lambda _: condition(), what)

    def settings(self):
        return {name: self.find(f"#{name}").get_property("value") for name in SETTINGS}

    def wait_until_settled(self):
        """Until the answer in full precision stands there for what is in the fields."""
        self.until(lambda: self.find("#epsilon").get_attribute("data-precision") == "full"
                   and not self.browser.find_elements(By.CSS_SELECTOR, ".stale, .invalid"), "settled")

    def epsilon(self):
        return self.find("#epsilon").text

    def budget(self, settings):
        flags = {"-s": "dataset_size", "-b": "batch_size", "-n": "noise_multiplier", "-e": "epochs", "-d": "delta"}
        arguments = [part for flag, name in flags.items() for part in (flag, settings[name])]
        return json.loads(subprocess.run([SOTTO, "budget", "--json", *arguments], check=True, capture_output=True).stdout)

    def assert_says_what_budget_says(self):
        self.wait_until_settled()
        exact = self.budget(self.settings())["epsilon"]
        shown = float(self.epsilon())
        self.assertGreaterEqual(shown, exact)
        self.assertLessEqual(shown, exact * 1.001)

    # The budget.

    def test_first_sight(self):
        self.open()
        self.assert_says_what_budget_says()
        self.assertIn("sotto train --dataset fashion-mnist --batch-size 1024", self.find("#train-line").text)
        self.assertIn("times what it would be", self.find("#promise").text)
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#beliefs tr")), 5)
        for canvas in ("epochs", "noise_multiplier", "batch_size"):
            self.assertIn("ε against", self.find(f"#chart-{canvas}").get_attribute("aria-label"))

    def test_arrow_keys_move_a_slider(self):
        self.open()
        self.wait_until_settled()
        before = self.epsilon()
        slider = self.find("#noise_multiplier-slider")
        slider.send_keys(Keys.ARROW_RIGHT * 4)
        self.assertGreater(float(self.settings()["noise_multiplier"]), 1)
        self.assert_says_what_budget_says()
        self.assertLess(float(self.epsilon()), float(before))

    def test_dragging_a_slider(self):
        self.open()
        self.wait_until_settled()
        before = self.settings()
        slider = self.find("#epochs-slider")
        ActionChains(self.browser).move_to_element(slider).click_and_hold().move_by_offset(60, 0).move_by_offset(
            20, 0).release().perform()
        self.assertNotEqual(self.settings()["epochs"], before["epochs"])
        self.assert_says_what_budget_says()

    def test_a_number_of_ones_own(self):
        self.open()
        self.wait_until_settled()
        field = self.find("#noise_multiplier")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("0.8321")
        self.assert_says_what_budget_says()
        self.assertIn("--noise-multiplier 0.8321 ", self.find("#train-line").text)

    def test_a_shared_address(self):
        self.open("#dataset_size=50000&batch_size=500&noise_multiplier=0.7&epochs=7&delta=0.000002&target_epsilon=1.5")
        self.assert_says_what_budget_says()
        self.assertEqual(self.settings(), {"dataset_size": "50000", "batch_size": "500", "noise_multiplier": "0.7",
                                           "epochs": "7", "delta": "2e-6", "target_epsilon": "1.5"})
        self.find("#epochs-slider").send_keys(Keys.ARROW_RIGHT)
        self.wait_until_settled()
        address = self.browser.current_url
        shown = (self.settings(), self.epsilon())
        self.browser.get("about:blank")
        self.browser.get(address)
        self.wait_until_settled()
        self.assertEqual((self.settings(), self.epsilon()), shown)
        self.assertEqual(shown[0]["epochs"], "8")

    def test_the_noise_needed_is_enough(self):
        self.open()
        self.wait_until_settled()
        for button, title in (("#use-noise", "noise"), ("#use-epochs", "epochs")):
            self.find(button).click()
            self.assert_says_what_budget_says()
            self.assertLessEqual(float(self.epsilon()), 3, title)
            self.assertEqual(self.find("#verdict").text, "Within your target")

    def test_no_noise_is_no_bound(self):
        self.open("#noise_multiplier=0")
        self.until(lambda: self.epsilon() == "no bound", "no bound")
        self.wait_until_settled()
        self.assertEqual(self.find("#verdict").text, "No privacy at all")
        self.assertFalse(self.find("#meaning-tables").is_displayed())

    def test_what_cannot_be_is_said(self):
        self.open("#batch_size=70000")
        self.until(lambda: self.find("#settings-error").is_displayed(), "an error")
        self.assertIn("batch_size '70000'", self.find("#settings-error").text)
        self.assertEqual(self.find("#batch_size").get_attribute("aria-invalid"), "true")
        field = self.find("#batch_size")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("600")
        self.assert_says_what_budget_says()
        self.assertFalse(self.find("#settings-error").is_displayed())

    # Tabs and runs.

    def test_tabs_by_keyboard(self):
        self.open()
        self.find("#tab-budget").send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("id"), "tab-runs")
        self.assertTrue(self.find("#panel-runs").is_displayed())
        self.assertFalse(self.find("#panel-budget").is_displayed())
        self.find("#tab-runs").send_keys(Keys.HOME)
        self.assertTrue(self.find("#panel-budget").is_displayed())

    def test_every_field_has_a_name(self):
        self.open()
        for field in self.browser.find_elements(By.CSS_SELECTOR, "input, button, canvas"):
            if field.is_displayed():
                self.assertTrue(field.accessible_name, field.get_attribute("outerHTML"))

    def choose(self, kind, name):
        self.open(f"#tab=runs&{kind}={name}")
        self.until(lambda: self.find("#chosen").is_displayed() and name in self.find("#chosen h2").text, name)

    def test_a_run(self):
        self.open("#tab=runs")
        self.until(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#runs-table tbody tr")) == 4, "four runs")
        self.find("#runs-table tr[data-name^=fashion] a").click()
        self.until(lambda: self.find("#chosen").is_displayed(), "the run")
        text = self.find("#chosen").text
        for part in ("not proved", "83.00 %", "No ε is proved", "report.html"):
            self.assertIn(part, text)
        self.assertNotIn("times what it would be", text)
        self.until(lambda: "test accuracy by epoch" in self.find("#chosen canvas").get_attribute("aria-label"), "a curve")
        report = self.find("#chosen .files .main a").get_attribute("href")
        self.assertEqual(self.browser.get_log("browser"), [])
        self.browser.get(report)
        self.assertEqual(self.find("h1").text, "The report")
        self.assertEqual(self.browser.title, "unread", "a script of a run's file ran")
        self.browser.get_log("browser")  # of the script that was not let run

    def test_a_run_with_its_ledger(self):
        self.choose("run", "written")
        self.assertIn("times what it would be", self.find("#chosen").text)
        self.assertNotIn("not proved", self.find("#chosen").text)

    def test_hostile_runs_are_text(self):
        self.choose("run", "hostile")
        self.assertIn(HOSTILE, self.find("#chosen").text)
        self.assertEqual(self.browser.title, "sotto explorer")
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "img[src=x]"), [])

    def test_a_sweep(self):
        self.choose("sweep", "sweep-1")
        heads = [head.text for head in self.browser.find_elements(By.CSS_SELECTOR, "#chosen .wide th")]
        self.assertEqual(heads, ["learning_rate", "batch_size", "note", "epsilon", "accuracy"])
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#chosen .wide tbody tr")), 6)
        self.until(lambda: "of 6 runs" in (self.find("#chosen canvas").get_attribute("aria-label") or ""), "a scatter")

    def test_a_generator(self):
        self.choose("run", "generator")
        self.until(lambda: "distance" in (self.find("#chosen canvas").get_attribute("aria-label") or ""), "a curve")

    # Looks.

    def look_at(self, name, width, scheme):
        faults = self.browser.execute_script(LAYOUT_FAULTS)
        if SCREENSHOTS:
            height = self.browser.execute_script("return document.documentElement.scrollHeight")
            picture = self.browser.execute_cdp_cmd("Page.captureScreenshot", {
                "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
            import base64
            (SCREENSHOTS / f"{name}-{width}-{scheme}.png").write_bytes(base64.b64decode(picture["data"]))
        self.assertEqual(faults, [], f"{name} at {width}")

    def test_looks(self):
        for scheme in ("light", "dark"):
            self.set_scheme(scheme)
            for width in WIDTHS:
                self.resize(width)
                with self.subTest(width=width, scheme=scheme):
                    self.open()
                    self.wait_until_settled()
                    self.look_at("budget", width, scheme)
                    self.browser.execute_script("document.querySelector('details').open = true")
                    self.look_at("budget-open", width, scheme)
                    self.choose("run", "fashion-mnist-cnn-20261116-065533")
                    self.until(lambda: self.find("#chosen canvas").get_attribute("aria-label"), "a curve")
                    self.look_at("run", width, scheme)
                    self.choose("sweep", "sweep-1")
                    self.until(lambda: self.find("#chosen canvas").get_attribute("aria-label"), "a scatter")
                    self.look_at("sweep", width, scheme)
                    self.choose("run", "hostile")
                    self.look_at("hostile", width, scheme)

    def test_extreme_numbers_fit(self):
        for width in WIDTHS:
            self.resize(width)
            self.open("#dataset_size=10000000000&batch_size=123456789&noise_multiplier=0.123456&epochs=1000000"
                      "&delta=1e-100&target_epsilon=0.000123")
            self.until(lambda: self.find("#charts-note").text != "", "an answer")
            self.look_at("extreme", width, "light")


if __name__ == "__main__":
    SOTTO = os.path.abspath(sys.argv[1])
    if len(sys.argv) > 2:
        SCREENSHOTS = pathlib.Path(sys.argv[2])
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + [a for a in os.environ.get("BROWSER_TESTS", "").split() if a], verbosity=2)
