import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { readSlowTests } from './test-queue.mjs'
import { toolPath } from './tools/packages.mjs'

const rooms = ['sdk', 'apiserver', 'simulator', 'testing', 'cli']
const left = ['**/*.test.ts', '**/*.fixture.ts', 'sdk/**/proto/gen/**', 'sdk/engine/inspector/page/**']
const listed = 10

const slow = readSlowTests(readFileSync(new URL('slow-tests.txt', import.meta.url), 'utf8'))

/**
 * Whether coverage is measured in a test file: in the quick ones of the rooms. Measuring takes half of the processor
 * time of a test again. The slow ones repeat the same code with a fault at each place. The others mostly start
 * programs, and V8 would take longer to write the coverage of each process than the tests take.
 */
export const isMeasured = (testFile) =>
  rooms.includes(testFile.split('/')[0]) && !slow.some(({ file }) => file === testFile)

/** Empties and returns the folder for the coverage of a test run's processes. */
export function coverageFolder(root) {
  const folder = resolve(root, '.tap/coverage')
  rmSync(folder, { recursive: true, force: true })
  return folder
}

/** The coverage of the quick room tests: a line for the total and one for each of the least covered files. */
export function coverageReport(root, folder) {
  const c8 = toolPath('c8/bin/c8.js')
  const reports = resolve(root, 'coverage')
  const flags = [
    '--merge-async',
    '--temp-directory',
    folder,
    '--reporter=json-summary',
    '--reports-dir',
    reports,
  ]
  const chosen = [...rooms.map((room) => `--include=${room}/**`), ...left.map((glob) => `--exclude=${glob}`)]
  const { status, stderr } = spawnSync(process.execPath, [c8, 'report', ...flags, ...chosen], { cwd: root })
  if (status !== 0) return `coverage could not be computed: ${stderr}`
  rmSync(folder, { recursive: true })
  const { total, ...files } = JSON.parse(readFileSync(resolve(reports, 'coverage-summary.json'), 'utf8'))
  const least = Object.entries(files).sort(([, a], [, b]) => a.lines.pct - b.lines.pct)
  const count = (path) => readdirSync(resolve(root, path), { recursive: true }).filter(isSource).length
  const all = rooms.reduce((sum, room) => sum + count(room), 0)
  return [
    `coverage by the quick tests of ${rooms.join(', ')} alone: ${total.lines.pct} % of the lines, ${total.branches.pct} % of the branches`,
    `of ${least.length} files that they load (of ${all}); the least covered:`,
    ...least
      .slice(0, listed)
      .map(([file, { lines }]) => `  ${`${lines.pct} %`.padStart(7)}  ${relative(root, file)}`),
  ].join('\n')
}

const isSource = (file) =>
  /\.ts$/.test(file) && !/\.(test|fixture|d)\.ts$|proto\/gen\/|^inspector\/page\//.test(file)
