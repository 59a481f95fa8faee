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

/** A Module of the program that is part of the operator, or of another one. */
const moduleOf = (origin: Partial<Module['spec']> = builtIn): Module => ({
  metadata: shop,
  spec: { workspace: dev, hibernated: false, config: { appName: 'shop', replicas: 3 }, ...origin },
})
const builtIn = { source: { raw: { kind: 'Web', metadata: { name: 'web' } } } }

const phaseOf = async (client: Client) => (await client.get(modules, shop)).status?.phase
const replicasOf = async (client: Client) => (await client.get(deployments, shop)).spec?.replicas

test('a Module sleeps and wakes with its Workspace, with the permissions that \`npm run rbac\` prints', async (t) => {
  const run = await testOperator(register, { definitions, permissions: 'declared' })
  const { client } = run
  t.after(() => run.stop())
  await client.create(workspaces, workspace)
  await client.create(modules, moduleOf())
  await run.settled()
  assert.equal(await phaseOf(client), 'ready')
  assert.equal(await replicasOf(client), 3)
  const hibernate = (hibernated: boolean) =>
    client.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated } } })
  await hibernate(true)
  await run.settled()
  assert.equal(await phaseOf(client), 'sleeped')
  assert.equal(await replicasOf(client), 0)
  await hibernate(false)
  await run.settled()
  assert.equal(await phaseOf(client), 'ready')
  assert.equal(await replicasOf(client), 3)
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
  while ((await phaseOf(client)) !== 'ready') {
    assert.notEqual(await phaseOf(client), 'failed', (await client.get(modules, shop)).status?.message)
    await setTimeout(50)
    await run.settled()
  }
  const digest = createHash('sha256').update(content).digest('base64')
  assert.equal((await client.get(modules, shop)).status?.program?.digest, \`sha256-\${digest}\`)
  assert.equal(await replicasOf(client), 3)
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
