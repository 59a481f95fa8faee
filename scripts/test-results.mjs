// The results of test files, from the TAP output of the processes that ran them.

const closing = /^(ok|not ok) \d+ - (.+\.test\.ts) # time=([\d.]+)ms$/
const processorTime = /^# processorMs=(\d+) (.+)$/

/**
 * The results of the files of a process: each with its TAP lines as the `body` of a subtest, and how it ended. The
 * output of several files has a subtest for each. If the process ended early, the file that ran fails as the process
 * did, and those after it were not run. An error outside of all files is a result of its own.
 */
export function resultsOf({ files, output, exitCode, signal, ...times }) {
  const isOk = exitCode === 0 && signal === null
  const ending = isOk ? {} : { exitCode, signal }
  if (files.length === 1)
    return [{ file: files[0], isOk, ending, body: output.split('\n').map(indented), ...times }]
  const { results, body } = split(output)
  const [running, ...later] = files.slice(results.length)
  if (running !== undefined) {
    const why = { message: `not run, because the process of ${running} ended` }
    const notRun = later.map((file) => ({ file, isOk: false, ending: why, body: [] }))
    return [...results, { file: running, isOk: false, ending, body }, ...notRun]
  }
  if (isOk || results.some((result) => !result.isOk)) return results
  return [...results, { file: `after ${files[0]} to ${files.at(-1)}`, isOk, ending, body }]
}

/** The results of the files that ended, and the lines that belong to none of them. */
function split(output) {
  const results = []
  let body = []
  const processorMs = new Map()
  for (const line of withoutDiagnoses(output.split('\n'))) {
    const [, verdict, file, ms] = closing.exec(line) ?? []
    const [, spentMs, spentBy] = processorTime.exec(line) ?? []
    if (file !== undefined) {
      results.push({ file, ...verdictOf(verdict, body), body, ms: Number(ms) })
      body = []
    } else if (spentBy !== undefined) processorMs.set(spentBy, Number(spentMs))
    else if (line.startsWith('    ')) body.push(line)
  }
  return { results: results.map((one) => ({ ...one, processorMs: processorMs.get(one.file) })), body }
}

/** Whether a file is ok. One without a test of its own is not: a file before it has imported it. */
function verdictOf(verdict, body) {
  const hasTests = body.some((line) => /^ +(not )?ok /.test(line))
  const message =
    'no test ran: a file before it in the same process has imported it; import it with a query instead'
  return { isOk: verdict === 'ok' && hasTests, ending: hasTests ? {} : { message } }
}

/**
 * Lines of the output of several files, without tap's diagnosis of a failed file, which names the script that loaded
 * it. Assertions outside of all files, with their diagnosis, are indented as those of a file.
 */
function* withoutDiagnoses(lines) {
  let isOutside = false
  let isDiagnosis = false
  for (const line of lines) {
    const isAssertion = /^(not )?ok /.test(line)
    if (isAssertion) isOutside = !closing.test(line)
    if (line === '  ---') isDiagnosis = true
    if (isOutside && (isAssertion || isDiagnosis)) yield indented(line)
    else if (!isDiagnosis) yield line
    if (line === '  ...') isDiagnosis = false
  }
}

const indented = (line) => `    ${line}`

/** A result as a subtest of the whole run. */
export function asSubtest({ file, isOk, ending, body, ms = 0, processorMs }, number) {
  const lines = body.filter((line) => line.trim() !== '' && !line.startsWith('    TAP version'))
  const facts = Object.entries({ ...ending, processorMs }).filter(([, value]) => value !== undefined)
  const diagnosis =
    facts.length > 0 ? ['  ---', ...facts.map(([name, value]) => `  ${name}: ${value}`), '  ...'] : []
  const verdict = `${isOk ? 'ok' : 'not ok'} ${number} - ${file} # time=${ms.toFixed()}ms`
  return [`# Subtest: ${file}`, ...lines, verdict, ...diagnosis, '', ''].join('\n')
}
