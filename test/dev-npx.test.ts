// `npx vcluster-plugin dev` when only npx gets a signal, as from a supervisor: npm does not pass it on to the command.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import t from 'tap'
import { root } from './dev-run.js'

t.setTimeout(600_000)

void t.test('dev stops in order when npx is ended by SIGTERM', async (t) => {
  const example = 'examples/sync-all-configmaps'
  const command = `node bin/vcluster-plugin.js dev ${example} --no-watch --dir '${t.testdir()}'; true`
  const npx = spawn('npm', ['exec', '--offline', '-c', command], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  let processId = 0
  createInterface({ input: npx.stdout }).on('line', (line) => {
    lines.push(line)
    const [, id] = /started, process (\d+)/.exec(line) ?? []
    if (id !== undefined) processId = Number(id)
    if (line.includes('samples mirrored')) npx.kill('SIGTERM')
  })
  // The output closes when the last process that holds it has ended.
  await new Promise((resolve) => npx.once('close', resolve))
  t.equal(lines.at(-1), 'dev       stopping')
  t.throws(() => process.kill(processId, 0), { code: 'ESRCH' })
})
