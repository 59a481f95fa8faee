// Tests what a program prints that cannot read a file of its own before it starts: one sentence, and no stack trace.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { loadTypeScript } from './plugin-process.js'

// Each case starts a process.
t.setTimeout(600_000)
t.comment('timeout=600000')

const root = fileURLToPath(new URL('..', import.meta.url))
const helm = JSON.stringify(join(root, 'sdk/helm/index.ts'))

/** Runs the code of a program, and returns its status and the lines on its standard error. */
const endOf = (code: string) =>
  new Promise<{ status: unknown; lines: string[] }>((resolve) => {
    const source = `import { loadChart, loadWatches } from ${helm}\n${code}`
    const flags = [loadTypeScript, '--conditions=vcluster-plugin-sdk:source', '--input-type=module']
    execFile(process.execPath, [...flags, '--eval', source], { cwd: root }, (error, _out, text) =>
      resolve({ status: error?.code, lines: text.trim().split('\n') }),
    )
  })

void t.test('a missing watches.yaml is one sentence, also after a failure that was caught', async (t) => {
  const { status, lines } = await endOf(
    "await loadChart('/nowhere/chart').catch(() => {})\nawait loadWatches('/nowhere/watches.yaml')",
  )
  t.equal(status, 1)
  t.match(lines, [
    /^\/nowhere\/watches\.yaml does not exist; correct its path; in an image, the Dockerfile must copy it/,
  ])
  t.equal(lines.length, 1)
})

void t.test('a folder without a chart is one sentence', async (t) => {
  const folder = JSON.stringify(t.testdir({ chart: { 'Chart.yaml': 'name: x\n' } }))
  const { status, lines } = await endOf(`await loadChart(${folder} + '/chart')`)
  t.equal(status, 1)
  t.match(lines, [/^the chart .*\/chart cannot be used: /])
  t.equal(lines.length, 1)
})

void t.test('another error keeps its stack trace', async (t) => {
  const { status, lines } = await endOf(
    "await loadChart('/nowhere/chart').catch(() => {})\nthrow new TypeError('a mistake')",
  )
  t.equal(status, 1)
  t.ok(lines.some((line) => line.startsWith('TypeError: a mistake')))
  t.ok(lines.some((line) => line.startsWith('    at ')))
})
