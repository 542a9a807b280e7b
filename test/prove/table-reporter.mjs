/** A Jest reporter that prints a table: one row for each known failure, one column for each way to decide. */
export default class TableReporter {
  onRunComplete(_contexts, { testResults, numFailedTests, numPassedTests, numRuntimeErrorTestSuites }) {
    const tests = testResults.flatMap((suite) => suite.testResults);
    const failures = [...new Set(tests.map(({ ancestorTitles }) => ancestorTitles.join(' ')))];
    const ways = [...new Set(tests.map(({ title }) => title))];
    const width = Math.max(...failures.map(({ length }) => length), 0) + 2;
    const cell = (failure, way) => {
      const test = tests.find((each) => each.ancestorTitles.join(' ') === failure && each.title === way);
      if (test === undefined) return '-';
      return test.status === 'passed' ? 'prevented' : 'FAILED';
    };
    const row = (first, cells) => first.padEnd(width) + cells.map((text) => text.padEnd(11)).join('');
    const lines = [
      row('Known failure', ways),
      ...failures.map((failure) =>
        row(
          failure,
          ways.map((way) => cell(failure, way)),
        ),
      ),
    ];
    console.log(lines.map((line) => line.trimEnd()).join('\n'));
    for (const { failureMessage } of testResults) if (failureMessage) console.error(failureMessage);
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    console.log(`\n${numPassedTests} passed, ${failed} failed`);
  }
}
