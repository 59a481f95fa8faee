import { Transform } from 'node:stream'
import { Parser } from 'tap-parser'

/**
 * Reads the TAP of a test run and writes one line per test file with its times, the details of each failure, and last
 * the plain line `N passed, N failed, N skipped`. A test file that crashes counts as failed.
 */
export class CountReporter extends Transform {
  #processorMs = 0
  #counts = { passed: 0, failed: 0, skipped: 0 }
  #parser = new Parser()

  #beforeCounts

  /** `beforeCounts` returns text to print between the last file and the counts; default none. */
  constructor(beforeCounts = () => '') {
    super()
    this.#beforeCounts = beforeCounts
    this.#follow(this.#parser, [])
  }

  /** Counts leaf assertions. The line that closes a subtest counts only if its leaves do not explain it. */
  #follow(parser, path) {
    const seen = { leaves: 0, failed: 0 }
    let child = null
    parser.on('child', (sub) => {
      child = this.#follow(sub, [...path, sub.name])
    })
    parser.on('assert', (result) => {
      const sub = child
      child = null
      seen.leaves += sub?.leaves ?? 0
      seen.failed += sub?.failed ?? 0
      if (path.length === 0) this.#line(result)
      if (sub && (result.ok ? sub.leaves > 0 : sub.failed > 0)) return
      seen.leaves++
      if (!result.ok && !result.skip && !result.todo) seen.failed++
      this.#count(result, path)
    })
    parser.on('bailout', (reason) => this.push(`Bail out! ${reason}\n`))
    return seen
  }

  #count(result, path) {
    if (result.skip || result.todo) {
      this.#counts.skipped++
      const why = typeof result.skip === 'string' ? `: ${result.skip}` : ''
      this.push(`  skipped  ${[...path, result.name].join(' > ')}${why}\n`)
    } else if (result.ok) this.#counts.passed++
    else {
      this.#counts.failed++
      this.push(`\n  FAILED  ${[...path, result.name].join(' > ')}\n${diagnosis(result.diag)}\n`)
    }
  }

  #line(result) {
    const { processorMs } = result.diag ?? {}
    this.#processorMs += processorMs ?? 0
    const seconds = result.time ? `  ${inSeconds(result.time)}` : ''
    const processor = processorMs === undefined ? '' : `, processor ${inSeconds(processorMs)}`
    this.push(`${result.ok ? 'ok    ' : 'not ok'}  ${result.name}${seconds}${processor}\n`)
  }

  _transform(chunk, _encoding, done) {
    this.#parser.write(chunk)
    done()
  }

  _flush(done) {
    this.#parser.end()
    this.push(this.#beforeCounts())
    if (this.#processorMs > 0) this.push(`\nprocessor ${inSeconds(this.#processorMs)} in all\n`)
    const { passed, failed, skipped } = this.#counts
    this.push(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`)
    done()
  }
}

function diagnosis(diag) {
  if (!diag) return ''
  const { diff, stack, at, message, found, wanted, exitCode, signal } = diag
  const place = at ? `${at.fileName}:${at.lineNumber}` : undefined
  const facts = {
    message,
    at: place,
    found: diff ? undefined : found,
    wanted: diff ? undefined : wanted,
    exitCode,
    signal,
  }
  const lines = Object.entries(facts)
    .filter(([, value]) => value != null)
    .map(([name, value]) => `    ${name}: ${show(value)}`)
  for (const text of [diff, stack]) if (text) lines.push(indent(text))
  return lines.join('\n')
}

const inSeconds = (ms) => `${(ms / 1000).toFixed(1)} s`
const show = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
const indent = (text) =>
  String(text)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
