// Tests kubectl with the embedded server and a real one: the same commands must give the same text.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApiServer } from '../../../testing/index.js'
import { missingAssets, startRealCluster } from '../../real/real-cluster.js'
import type { Story } from './command.js'
import { comparable } from './comparable.js'
import { type KubectlOptions, type KubectlResult, missingKubectl, runKubectl } from './run-kubectl.js'
import { stories } from './stories/index.js'

t.setTimeout(400_000)

async function play({ commands }: Story, options: KubectlOptions): Promise<KubectlResult[]> {
  const results: KubectlResult[] = []
  for (const command of commands) results.push(...(await runKubectl(command, options)))
  return results
}

/** Runs all stories by name; those that change the served kinds come last. */
async function playAll(t: Test, name: string, kubeconfig: string): Promise<Map<string, KubectlResult[]>> {
  const results = new Map<string, KubectlResult[]>()
  const begin = async (story: Story) => {
    const home = join(t.testdirName, name, story.name)
    await mkdir(home, { recursive: true })
    const file = join(home, 'kubeconfig')
    await writeFile(file, kubeconfig)
    results.set(story.name, await play(story, { kubeconfig: file, namespace: story.name, home }))
  }
  const isLate = ({ name }: Story) => name === 'customizing'
  await Promise.all(stories.filter((story) => !isLate(story)).map(begin))
  await Promise.all(stories.filter(isLate).map(begin))
  return results
}

async function onEmbedded(t: Test): Promise<Map<string, KubectlResult[]>> {
  const server = await createApiServer({ controllers: false, authorization: 'rbac' })
  t.teardown(() => server.close())
  await server.listen()
  return playAll(t, 'embedded', await server.kubeconfig())
}

async function onReal(t: Test): Promise<Map<string, KubectlResult[]>> {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  return playAll(t, 'real', real.kubeconfig)
}

/** Checks that each command exited with the status of its story. */
function checkStatuses(t: Test, results: readonly KubectlResult[]): void {
  const wrong = results.filter(({ command, code }) => code !== (command.code ?? 0))
  t.strictSame(
    wrong.map(({ line, code, stderr }) => ({ line, code, stderr })),
    [],
    'each command exits with the status of its story',
  )
}

function compare(t: Test, embedded: readonly KubectlResult[], real: readonly KubectlResult[]): void {
  for (const [at, expected] of real.entries()) {
    const found = embedded[at]
    if (found === undefined) throw new Error(`"${expected.line}" ran only on the real server`)
    const why = expected.command.differs
    if (why === undefined) t.strictSame(comparable(found), comparable(expected), expected.line)
    else t.strictNotSame(comparable(found), comparable(expected), `${expected.line} (differs: ${why})`)
  }
}

const missing = missingKubectl || missingAssets()

void t.test('kubectl works on the embedded server', { skip: missingKubectl }, async (t) => {
  t.testdir()
  const [embedded, real] = await Promise.all([onEmbedded(t), missing ? undefined : onReal(t)])
  for (const { name } of stories) {
    void t.test(name, async (t) => {
      const alike = (embedded.get(name) ?? []).filter(({ command }) => command.differs === undefined)
      checkStatuses(t, alike)
    })
    void t.test(`${name} prints the same text as on a real server`, { skip: missing }, async (t) => {
      checkStatuses(t, real?.get(name) ?? [])
      compare(t, embedded.get(name) ?? [], real?.get(name) ?? [])
    })
  }
})
