/** src/web-program.test.ts: the life of a Module, the program as a file, and crashes at every write. */
export const testFile = `import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Client, configMaps, deployments, services } from 'vcluster-plugin-sdk'
import { type Module, modules, type Workspace, workspaces } from 'vcluster-plugin-sdk/modules'
import { crdOf } from 'vcluster-plugin-sdk/operator'
import { exhaust, operatorScenario, testOperator } from 'vcluster-plugin-sdk/testing'
import { register } from './register.js'

const definitions = [crdOf(modules), crdOf(workspaces)]
const dev = { namespace: 'default', name: 'dev' }
const shop = { namespace: 'default', name: 'shop' }

const workspace: Workspace = {
  metadata: dev,
  spec: { type: 'kubernetes', hibernated: false, connection: { type: 'in-cluster' } },
}

/** Fits the schema in web-program.ts. After a change of the schema, correct it here and in samples.yaml. */
const config = { appName: 'shop', replicas: 3 }

/** A Module of the program that is part of the operator, or of another one. */
const moduleOf = (origin: Partial<Module['spec']> = builtIn): Module => ({
  metadata: shop,
  spec: { workspace: dev, hibernated: false, config, ...origin },
})
const builtIn = { source: { raw: { kind: 'Web', metadata: { name: 'web' } } } }

/** Checks the phase of the Module; in another phase its message says why. */
async function assertPhase(client: Client, phase: string) {
  const { status } = await client.get(modules, shop)
  assert.equal(status?.phase, phase, \`the Module is \${status?.phase}: \${status?.message ?? 'without a message'}\`)
}
const replicasOf = async (client: Client) => (await client.get(deployments, shop)).spec?.replicas

test('a Module sleeps and wakes with its Workspace, with the permissions that \`npm run rbac\` prints', async (t) => {
  const run = await testOperator(register, { definitions, permissions: 'declared' })
  const { client } = run
  t.after(() => run.stop())
  await client.create(workspaces, workspace)
  await client.create(modules, moduleOf())
  await run.settled()
  await assertPhase(client, 'ready')
  assert.equal(await replicasOf(client), config.replicas)
  const hibernate = (hibernated: boolean) =>
    client.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated } } })
  await hibernate(true)
  await run.settled()
  await assertPhase(client, 'sleeped')
  assert.equal(await replicasOf(client), 0)
  await hibernate(false)
  await run.settled()
  await assertPhase(client, 'ready')
  assert.equal(await replicasOf(client), config.replicas)
  await client.delete(modules, shop)
  await run.settled()
  await assert.rejects(client.get(deployments, shop), { code: 404 })
  await assert.rejects(client.get(services, shop), { code: 404 })
})

test('the operator loads the program as a file, from a ConfigMap', { timeout: 60_000 }, async (t) => {
  const content = await buildProgram()
  const run = await testOperator(register, { definitions })
  const { client } = run
  t.after(() => run.stop())
  const metadata = { namespace: 'default', name: 'web-program' }
  await client.create(configMaps, { metadata, data: { plugin: content } })
  await client.create(workspaces, workspace)
  const program = { configMap: { ...metadata, key: 'plugin' } }
  await client.create(modules, moduleOf({ custom: { program } }))
  // The program runs in a process of its own, which takes real time.
  for (;;) {
    const { status } = await client.get(modules, shop)
    if (status?.phase === 'ready') break
    assert.notEqual(status?.phase, 'failed', status?.message)
    await setTimeout(50)
    await run.settled()
  }
  const digest = createHash('sha256').update(content).digest('base64')
  assert.equal((await client.get(modules, shop)).status?.program?.digest, \`sha256-\${digest}\`)
  assert.equal(await replicasOf(client), config.replicas)
})

/** The program with all its imports, as \`npm run program\` builds it. */
async function buildProgram(): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'web-program-'))
  const command = new URL('bin/vcluster-plugin.js', import.meta.resolve('vcluster-plugin-sdk/package.json'))
  const source = fileURLToPath(new URL('web-program.ts', import.meta.url))
  const args = [fileURLToPath(command), 'module', 'build', source, '--out', out]
  await promisify(execFile)(process.execPath, args)
  const content = await readFile(join(out, 'program.mjs'), 'utf8')
  await rm(out, { recursive: true })
  return content
}

test('it survives a crash at every write', async () => {
  const scenario = operatorScenario({
    register,
    definitions,
    before: ({ client }) => client.create(workspaces, workspace),
    steps: {
      'a Module is created': ({ client }) => client.create(modules, moduleOf()),
      'it is deleted': ({ client }) => client.delete(modules, shop),
    },
    writesPerChange: 12,
  })
  const { missed } = await exhaust(scenario, { faults: ['crashes'] })
  assert.deepEqual(missed, [], 'every crash happened')
})
`
