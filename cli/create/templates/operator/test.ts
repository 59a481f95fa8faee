/** The imports of the tests, and the function that registers their controller. */
interface TestedProgram {
  readonly operatorImports: string
  readonly ownImports: string
  readonly register: string
}

const testOf = ({
  operatorImports,
  ownImports,
  register,
}: TestedProgram) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployments } from 'vcluster-plugin-sdk'
import { ${operatorImports} } from 'vcluster-plugin-sdk/operator'
import { exhaust, operatorScenario, testOperator } from 'vcluster-plugin-sdk/testing'
${ownImports}

${register}const key = { namespace: 'default', name: 'sample' }
const definitions = [crdOf(websites)]
/** A spec that fits the schema of the kind. After a change of the schema, correct this and samples.yaml. */
const spec = { image: 'nginx', replicas: 2 }

test('a Website gets a Deployment, and is available once that is ready', async (t) => {
  const run = await testOperator(register, { definitions, permissions: 'declared' })
  t.after(() => run.stop())
  await run.client.create(websites, { metadata: key, spec })
  await run.settled()
  assert.equal((await run.client.get(deployments, key)).spec?.replicas, 2)
  await run.setReady({ metadata: key })
  await run.settled()
  const { status } = await run.client.get(websites, key)
  assert.equal(status?.ready, 2)
  assert.equal(status?.conditions?.find(({ type }) => type === 'Available')?.status, 'True')
})

test('the labels of a Website with a long name are valid', async (t) => {
  const run = await testOperator(register, { definitions, permissions: 'declared' })
  t.after(() => run.stop())
  const long = { namespace: 'default', name: 'a'.repeat(64) }
  await run.client.create(websites, { metadata: long, spec })
  await run.settled()
  assert.equal((await run.client.get(deployments, long)).spec?.replicas, 2)
})

test('the API server refuses a Website without an image', async (t) => {
  const run = await testOperator(register, { definitions, permissions: 'declared' })
  t.after(() => run.stop())
  await assert.rejects(run.client.create(websites, { metadata: key, spec: { ...spec, image: '' } }), /spec.image/)
})

/** The life of a Website, which runs once for each write with a fault at that write. */
const scenario = operatorScenario({
  register,
  definitions,
  steps: {
    'a Website is created': ({ client }) => client.create(websites, { metadata: key, spec }),
    'its Deployment is deleted': ({ client }) => client.delete(deployments, key),
    'it is deleted': ({ client }) => client.delete(websites, key),
  },
  simulate: (clusters) => clusters.setAllReady(),
})

test('it survives a crash and a leader change at every write', async () => {
  const { missed } = await exhaust(scenario, { faults: ['crashes', 'leader-changes'] })
  assert.deepEqual(missed, [], 'every fault was injected')
})
`

/** src/website-controller.test.ts: the Deployment of a sample, and crashes and leader changes at every write. */
export const testFile = testOf({
  operatorImports: 'crdOf',
  ownImports: "import { websites } from './kinds.js'\nimport { register } from './register.js'",
  register: '',
})

/** The same in a program with other kinds, which have tests of their own. */
export const addedTestFile = testOf({
  operatorImports: 'crdOf, type Operator',
  ownImports:
    "import { websites } from './kinds.js'\nimport { websiteController } from './website-controller.js'",
  register: `/** The other kinds of the operator have tests of their own. */
const register = (operator: Operator) => operator.register(websiteController)

`,
})
