// `vcluster-plugin crd` from the command line, against the embedded API server.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { createApiServer } from '../../apiserver/api-server.js'
import { checkCluster } from '../../cli/crd/check-live.js'
import { compareWithFile } from '../../cli/crd/compare-with-file.js'
import { findKinds } from '../../cli/crd/find-kinds.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { resourceOf } from '../../sdk/engine/cluster/definition.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'

t.setTimeout(600_000)
t.jobs = 2

const project = 'test/kinds/project'

interface Answer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const crd = (args: readonly string[], env?: NodeJS.ProcessEnv) => command(['crd', ...args], env)

function command(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env } }
    const child = execFile(
      process.execPath,
      ['bin/vcluster-plugin.js', ...args],
      options,
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    )
  })
}

/** Whether a kind is served yet; the time limit of the test ends the wait. */
const isServed = (client: Client, resource: Resource) =>
  client.list(resource).then(
    () => true,
    () => false,
  )

void t.test('it prints the definitions of a module to stdout, and warnings to stderr', async (t) => {
  const { code, stdout, stderr } = await crd([project])
  t.equal(code, 0, stderr)
  t.match(parse(stdout), {
    kind: 'CustomResourceDefinition',
    metadata: { name: 'backups.cache.example.com' },
  })
  t.match(stderr, /warning: backups\.cache\.example\.com: spec\.share: number is a floating-point number/)
  const json = await crd([`${project}/kinds.ts`, '-o', 'json'])
  t.same(JSON.parse(json.stdout), parse(stdout))
})

void t.test('a module without kinds, and a kind that no API server takes, are errors', async (t) => {
  await t.rejects(findKinds('cli'), /cli has no kinds\.ts or .*; name the module/)
  t.match(await crd(['test/kinds/rules.ts']), {
    code: 1,
    stderr: /exports no kind; export what defineKind returns/,
  })
  t.match(await crd([project], { TEST_RULE: 'self.sise > 1' }), {
    code: 1,
    stderr:
      /backups\.cache\.example\.com cannot be installed: an API server refuses it: .*undefined field 'sise'/s,
  })
  t.match(await crd([project], { TEST_RULE: 'self.size >' }), {
    code: 1,
    stderr: /cannot be installed: spec: rule .* is not CEL/,
  })
  const testRule = 'self.size > 0 && futureFunction(self)'
  const unchecked = await crd([project], { TEST_RULE: testRule, TEST_UNCHECKED: 'kube-apiserver 9 has it' })
  t.match(unchecked, { code: 0, stdout: /futureFunction/, stderr: /is not checked: kube-apiserver 9 has it/ })
  t.notMatch(unchecked.stdout, /unchecked|kube-apiserver/)
})

void t.test('`manifest` refuses the kinds that `crd` refuses', async (t) => {
  const manifest = (env: NodeJS.ProcessEnv) => command(['manifest', project], env)
  t.match(await manifest({ TEST_RULE: 'self.sise > 1' }), {
    code: 1,
    stdout: /^$/,
    stderr:
      /backups\.cache\.example\.com cannot be installed: an API server refuses it: .*undefined field 'sise'/s,
  })
  const testRule = 'self.size > 0 && futureFunction(self)'
  t.match(await manifest({ TEST_RULE: testRule, TEST_UNCHECKED: 'kube-apiserver 9 has it' }), {
    code: 0,
    stdout: /kind: Deployment/,
    stderr: /is not checked: kube-apiserver 9 has it/,
  })
})

void t.test('--check fails for a stale file, and names what changed', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'crd-'))
  t.teardown(() => rm(dir, { recursive: true }))
  const file = join(dir, 'crds.yaml')
  const { stdout } = await crd([project])
  await writeFile(file, stdout)
  t.match(await crd([project, '--check', file]), {
    code: 0,
    stdout: 'backups.cache.example.com: no errors\n',
  })
  const narrowed = await crd([project, '--check', file], { TEST_MAX_SIZE: '9' })
  t.equal(narrowed.code, 1)
  t.match(
    narrowed.stderr,
    /warning: backups\.cache\.example\.com: v1: spec\.size: maximum changes from 100 to 9/,
  )
  t.match(narrowed.stderr, /error: .*crds\.yaml is stale: backups\.cache\.example\.com differs/)
  // The process prints the differences of these cases alike.
  const definitions: CustomResourceDefinition[] = [parse(stdout)]
  await writeFile(file, stdout.replaceAll('size:', 'length:'))
  const removed = await compareWithFile(definitions, file)
  t.ok(removed.some(isError(/spec\.length: the field is removed/)))
  await writeFile(file, '')
  const missing = await compareWithFile(definitions, file)
  t.ok(missing.some(isError(/has no backups\.cache\.example\.com; add it/)))
  await t.rejects(
    compareWithFile(definitions, join(dir, 'none.yaml')),
    /there is no file .*none\.yaml; correct the path, or write it with: vcluster-plugin crd > /,
  )
})

/** Whether a difference makes the command fail, with this sentence. */
const isError =
  (told: RegExp) =>
  ({ level, sentence }: { level: string; sentence: string }) =>
    level === 'error' && told.test(sentence)

void t.test('a narrower check is an error on an API server before Kubernetes 1.30', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  const inner = inProcessTransport(server)
  const definition: CustomResourceDefinition = parse((await crd([project])).stdout)
  const client = createClient({ transport: inner })
  await client.create(customResourceDefinitions, definition)
  while (!(await isServed(client, resourceOf(definition)))) await new Promise(setImmediate)
  const narrowed: CustomResourceDefinition = parse((await crd([project], { TEST_MAX_SIZE: '9' })).stdout)
  const levelsWith = async (gitVersion: string, status = 200) => {
    const body = Buffer.from(JSON.stringify(status === 200 ? { gitVersion } : { message: 'no' }))
    const transport: Transport = {
      stream: (request) => inner.stream(request),
      close: () => inner.close(),
      request: async (request) =>
        request.path === '/version' ? { status, headers: {}, body } : inner.request(request),
    }
    const lines = await checkCluster([{ definition: narrowed, unchecked: [] }], transport)
    return lines.map(({ level }) => level)
  }
  t.same(await levelsWith('v1.29.14-gke.100'), ['error'])
  t.same(await levelsWith('v1.9.0'), ['error'])
  t.same(await levelsWith('v1.30.0'), ['warning'])
  t.same(await levelsWith('v1.36.3+k3s1'), ['warning'])
  t.same(await levelsWith('unknown'), ['warning'])
  t.same(await levelsWith('', 403), ['warning'])
})

void t.test('--live lists the objects of a cluster that a new schema would refuse', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  await server.listen()
  const dir = await mkdtemp(join(tmpdir(), 'crd-'))
  t.teardown(() => rm(dir, { recursive: true }))
  const kubeconfig = join(dir, 'kubeconfig')
  await writeFile(kubeconfig, await server.kubeconfig())
  const live = (env: NodeJS.ProcessEnv = {}) => crd([project, '--live', '--kubeconfig', kubeconfig], env)
  t.match(await live(), { code: 0, stderr: /is not installed in the cluster/ })

  const client = createClient({ transport: inProcessTransport(server) })
  const definition: CustomResourceDefinition = parse((await crd([project])).stdout)
  await client.create(customResourceDefinitions, definition)
  const resource = resourceOf(definition)
  while (!(await isServed(client, resource))) await new Promise((resolve) => setTimeout(resolve, 10))
  for (const size of [5, 50]) {
    const object = { metadata: { name: `b${size}`, namespace: 'default' }, spec: { size } }
    await client.create(resource, { apiVersion: 'cache.example.com/v1', kind: 'Backup', ...object })
  }
  t.match(await live(), { code: 0, stdout: /no errors/ })
  const narrowed = await live({ TEST_MAX_SIZE: '9' })
  t.equal(narrowed.code, 1)
  t.match(
    narrowed.stderr,
    /error: backups\.cache\.example\.com: default\/b50 does not fit the new schema: .*less than or equal to 9/,
  )
  t.notMatch(narrowed.stderr, /b5 does not fit/)
})
