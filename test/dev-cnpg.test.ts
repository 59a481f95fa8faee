import { cp, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Overview } from '../sdk/engine/inspector/model.js'
import { DevRun, isAlive, root } from './dev-run.js'

t.setTimeout(600_000)

void t.test(
  'dev runs a CNPG plugin with a simulated operator, and keeps the Clusters when files change',
  async (t) => {
    const folder = join(t.testdir(), 'hello')
    await cp(join(root, 'examples/cnpg-hello-world'), folder, { recursive: true })
    const sample = join(folder, 'samples/with-a-mistake.yaml')
    await rename(join(folder, 'with-a-mistake.yaml'), sample)
    // Variables of a deployed plugin do not count.
    const dev = new DevRun(['dev', folder], { SERVER_ADDRESS: ':1', WEBHOOK_ADDRESS: ':2' })
    t.teardown(() => dev.signal('SIGKILL'))
    const [, inspector] = await dev.line(/^inspect +(http:\/\/127\.0\.0\.1:\d+\/inspector\/)$/)
    const [, pid] = await dev.line(/^plugin +hello started, process (\d+)/)
    await dev.line(/^Cluster default\/with-a-mistake {2}refused: spec\.plugins\.0\.parameters\.labels: /)
    await dev.line(/^Pod default\/with-parameters-1 {2}EVALUATE$/)
    await dev.line(/^ {2}add \/metadata\/labels\/team "databases"$/)
    await dev.line(/^Cluster default\/without-parameters {2}Cluster in healthy state$/)
    await dev.line(/^dev +reloads the plugin and the Clusters/)
    const { calls } = (await (await fetch(`${inspector}api/overview`)).json()) as Overview
    t.ok(calls.some(({ object, patch }) => object === 'Pod default/with-parameters-1' && patch?.length))
    const source = join(folder, 'hello.ts')
    await writeFile(source, (await readFile(source, 'utf8')).replace('pause:3.10', 'pause:3.11'))
    await dev.line(/^plugin +.*hello\.ts changed, restarting/)
    await dev.line(/^Pod default\/with-parameters-1 {2}restarted, its init-containers differ$/)
    t.notOk(isAlive(Number(pid)))
    await writeFile(sample, (await readFile(sample, 'utf8')).replace(': databases}', ': "databases"}'))
    await dev.line(/^dev +.*with-a-mistake\.yaml changed$/)
    await dev.line(/^Cluster default\/with-a-mistake {2}Cluster in healthy state$/)
    dev.signal('SIGINT')
    t.equal((await dev.ended).code, 0)
  },
)

void t.test('with --once dev ends, and fails if a Cluster is refused or a hook fails', async (t) => {
  const folder = join(t.testdir(), 'hello')
  await cp(join(root, 'examples/cnpg-hello-world'), folder, { recursive: true })
  const good = new DevRun(['dev', folder, '--once'])
  await good.line(/^2 of 2 samples handled$/)
  t.equal((await good.ended).code, 0)
  const refused = new DevRun(['dev', folder, '--once', '--samples', join(folder, 'with-a-mistake.yaml')])
  t.equal((await refused.ended).code, 1)
  t.match(
    refused.errors.join('\n'),
    /cannot apply the samples: Cluster default\/with-a-mistake is refused: spec\.plugins\.0\.parameters\.labels: /,
  )
  const source = join(folder, 'hello.ts')
  const throwing = (await readFile(source, 'utf8')).replace(
    'addSidecar(pod',
    "throw new Error('x'); addSidecar(pod",
  )
  await writeFile(source, throwing)
  const bad = new DevRun(['dev', folder, '--once'])
  t.not((await bad.ended).code, 0)
  t.match(
    bad.errors.join('\n'),
    /Cluster default\/with-parameters is not healthy: plugin \S+ failed in \S+: x; the log above has/,
  )
})

void t.test('dev says what a CNPG plugin cannot use', async (t) => {
  const dev = new DevRun(['dev', 'examples/cnpg-hello-world', '--context', 'kind-kind'])
  t.equal((await dev.ended).code, 2)
  t.match(dev.errors.join('\n'), /simulates the operator of a CNPG plugin; remove --kubeconfig and --context/)
})
