/**
 * Counting tests from the reports of the two test runners. Only the parts of the reports that are read are described.
 * @typedef {{ passed: number, failed: number, skipped: string[] }} Tally
 * @typedef {{ name: string, result: 'passed' | 'failed' | 'skipped' }} TestResult
 * @typedef {{ testResults: { assertionResults: { status: string, fullName: string }[] }[] }} VitestReport
 * @typedef {{ title: string, specs?: { title: string, tests: { status: string }[] }[], suites?: Suite[] }} Suite
 * @typedef {{ suites: Suite[] }} PlaywrightReport
 */

/**
 * @param {VitestReport | undefined} report
 * @param {number} code vitest's exit code
 * @returns {Tally}
 */
export function vitestTally(report, code) {
  const tests = (report?.testResults ?? []).flatMap((file) => file.assertionResults);
  return tallyOf(
    tests.map(({ status, fullName }) => ({
      name: fullName,
      result: status === 'passed' || status === 'failed' ? status : 'skipped',
    })),
    code,
  );
}

/**
 * @param {PlaywrightReport | undefined} report
 * @param {number} code Playwright's exit code
 * @returns {Tally}
 */
export function playwrightTally(report, code) {
  return tallyOf((report?.suites ?? []).flatMap(testsOf), code);
}

/**
 * @param {Suite} suite
 * @returns {TestResult[]}
 */
function testsOf(suite) {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map(({ status }) => ({ name: `${suite.title} ${spec.title}`, result: resultOf(status) })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(testsOf)];
}

/**
 * A test that passed only when it was repeated is not one that passed.
 * @param {string} status
 * @returns {TestResult['result']}
 */
function resultOf(status) {
  if (status === 'expected') return 'passed';
  return status === 'skipped' ? 'skipped' : 'failed';
}

/**
 * A runner that fails without a failed test (a file that can not be loaded, an error outside of tests, no
 * report at all) counts as one failure, and so does a run without any test.
 * @param {TestResult[]} tests
 * @param {number} code
 * @returns {Tally}
 */
function tallyOf(tests, code) {
  const count = (/** @type {TestResult['result']} */ result) =>
    tests.filter((test) => test.result === result).length;
  const unexplained = code !== 0 || tests.length === 0 ? 1 : 0;
  return {
    passed: count('passed'),
    failed: Math.max(count('failed'), unexplained),
    skipped: tests.flatMap(({ name, result }) => (result === 'skipped' ? [name] : [])),
  };
}
