// CNPG-I plugins, asked by a client in Go that does what the operator does, with its patch library.
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import * as z from 'zod'
import { parameters, register } from '../examples/cnpg-hello-world/hello.js'
import { jsonText } from '../sdk/cnpg/index.js'
import { PluginRuntime } from '../sdk/cnpg/plugin.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { clientFlags, noClient, serverFlags, startClient, writeCertificates } from './cnpg-process.js'
import { cluster, name, pod, served } from './cnpg-served.js'
import { startPlugin } from './plugin-process.js'

const skip = noClient

void t.test('the example over mutual TLS, as a process', { skip }, async (t) => {
  const files = writeCertificates(t.testdir())
  const plugin = startPlugin('examples/cnpg-hello-world/main.ts', {
    SERVER_ADDRESS: '127.0.0.1:0',
    SERVER_CERT: files.serverCert,
    SERVER_KEY: files.serverKey,
    CLIENT_CA: files.clientCa,
  })
  t.teardown(() => plugin.end('SIGKILL'))
  const { address } = JSON.parse(await plugin.line('serves the operator')) as { address: string }
  const client = startClient(clientFlags(address, files))
  t.teardown(() => client.end())
  const loaded = await client.ask('load')
  t.match(loaded.result, { warnings: [], ready: true, pluginStatus: { name, version: '0.1.0' } })
  t.match((loaded.result as { lifecycleCapabilities: unknown }).lifecycleCapabilities, [
    { group: '', kind: 'Pod', verbs: ['CREATE', 'EVALUATE'] },
  ])
  const labels = { labels: '{"team":"databases"}' }
  const instance = await client.ask('instance', { cluster: cluster(labels), object: pod })
  t.match(instance.result, { deterministic: true, idempotent: true })
  const created = (instance.result as { created: { object: typeof pod } }).created.object
  t.match(created, {
    metadata: { labels: { team: 'databases' }, annotations: { 'plugin-metadata': 'default' } },
    spec: {
      initContainers: [{ name: 'pauser', restartPolicy: 'Always' }],
      volumes: [{ name: 'data' }, { name: 'plugins', emptyDir: {} }],
    },
  })
  t.equal(await plugin.end(), 0)
})

void t.test('the example over a socket: validation, defaults and status', { skip }, async (t) => {
  const client = await served(t, { parameters }, register)
  const mistaken = cluster({ labels: '{"team": databases}', annotations: '{"a":1}' })
  t.same((await client.ask('validate-create', { cluster: mistaken })).result, [
    {
      path: 'spec.plugins.0.parameters.labels',
      value: '{"team": databases}',
      message: 'is not JSON',
      text: 'spec.plugins.0.parameters.labels: Invalid value: "{\\"team\\": databases}": is not JSON',
    },
    {
      path: 'spec.plugins.0.parameters.annotations.a',
      value: '{"a":1}',
      message: 'must be a string, got a number',
      text: 'spec.plugins.0.parameters.annotations.a: Invalid value: "{\\"a\\":1}": must be a string, got a number',
    },
  ])
  const failed = await client.ask('lifecycle', { verb: 'CREATE', cluster: mistaken, object: pod })
  t.match(
    failed.error,
    `parameters of plugin ${name} in Cluster default/db: labels: is not JSON; annotations.a: `,
  )
  const [old, next] = [cluster({ labels: '{"a":"1"}' }), cluster({ labels: '{"a":"2"}' })]
  t.match((await client.ask('validate-change', { old, cluster: next })).result, [
    { path: 'spec.plugins.0.parameters.labels', message: 'labels cannot be changed' },
  ])
  t.same((await client.ask('validate-change', { old, cluster: old })).result, [])
  const filled = await client.ask('mutate', { cluster: cluster() })
  const text = '{"plugin-metadata":"default"}'
  t.match(filled.result, { object: cluster({ labels: text, annotations: text }) })
  t.match((await client.ask('status', { cluster: cluster() })).result, { status: '{"enabled":true}' })
  const shown = cluster({}, { status: { pluginStatus: [{ name, status: '{ "enabled": true }' }] } })
  t.match((await client.ask('status', { cluster: shown })).result, { status: null })
})

void t.test('every service answers, and declares only what has a hook', { skip }, async (t) => {
  const archived: unknown[] = []
  const client = await served(t, {}, (plugin) => {
    plugin.sidecar({ name: 'archive', image: 'example.org/archive:1' }, { jobs: true })
    plugin.cluster({
      preReconcile: (ctx) => ctx.requeue(30, 'waits for the vault'),
      postReconcile() {},
    })
    plugin.wal({
      archive: (ctx, wal) => void archived.push([ctx.parameters, wal]),
      restore(_ctx, { name: wal, mode }) {
        if (wal === 'missing') throw new Error('a secret path')
        archived.push(mode)
      },
    })
    plugin.backups({
      backup: (_ctx, { metadata }) => ({
        backupId: 'b1',
        backupName: metadata.name ?? '',
        startedAt: new Date(1_700_000_000_900),
        stoppedAt: new Date(1_700_000_010_000),
        online: true,
      }),
      postReconcile: (ctx) => ctx.stop('is done elsewhere'),
    })
    plugin.restoreJob({ restore: () => ({ config: "restore_command = 'x'", env: { A: '1' } }) })
    plugin.postgres({
      configuration(_ctx, settings, operation) {
        settings.from_plugin = operation
      },
    })
    plugin.metrics({
      metrics: [{ name: 'hello_total', help: 'Hellos.', type: 'counter', labels: ['to', 'from'] }],
      collect: () => [{ name: 'hello_total', value: 2, labels: { from: 'b', to: 'a' } }],
    })
  })
  const { result } = await client.ask('load')
  t.match(result, {
    warnings: [],
    capabilities: [
      'TYPE_WAL_SERVICE',
      'TYPE_BACKUP_SERVICE',
      'TYPE_LIFECYCLE_SERVICE',
      'TYPE_RECONCILER_HOOKS',
      'TYPE_RESTORE_JOB',
      'TYPE_POSTGRES',
      'TYPE_INSTANCE_SIDECAR_INJECTION',
      'TYPE_INSTANCE_JOB_SIDECAR_INJECTION',
      'TYPE_METRICS',
    ],
    walCapabilities: ['TYPE_ARCHIVE_WAL', 'TYPE_RESTORE_WAL'],
    reconcilerCapabilities: ['KIND_CLUSTER', 'KIND_BACKUP'],
  })
  t.notOk('operatorCapabilities' in (result as object))
  const c = cluster()
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace: 'default', name: 'db-1-full-recovery' },
    spec: { template: { spec: { containers: [{ name: 'full-recovery' }], restartPolicy: 'Never' } } },
  }
  const started = await client.ask('lifecycle', { verb: 'CREATE', cluster: c, object: job })
  t.match(started.result, {
    object: {
      spec: { template: { spec: { initContainers: [{ name: 'archive', restartPolicy: 'Always' }] } } },
    },
  })
  t.match((await client.ask('pre', { cluster: c })).result, { stop: true, requeueAfter: '30s' })
  t.match((await client.ask('post', { cluster: c })).result, {
    behavior: 'BEHAVIOR_UNSPECIFIED',
    stop: false,
  })
  const backup = {
    kind: 'Backup',
    metadata: { namespace: 'default', name: 'b' },
    spec: { cluster: { name: 'db' } },
  }
  t.match((await client.ask('post', { cluster: c, object: backup })).result, {
    behavior: 'BEHAVIOR_TERMINATE',
  })
  t.match((await client.ask('archive', { cluster: c, source: '/wal/1' })).result, { done: true })
  t.match((await client.ask('restore-wal', { cluster: c, source: '2', destination: '/x' })).result, {
    done: true,
  })
  const missing = await client.ask('restore-wal', { cluster: c, source: 'missing', destination: '/x' })
  t.match(missing.error, 'failed in WAL/Restore (Error); the log of the plugin has the message')
  t.notMatch(missing.error, 'secret')
  t.match(archived, [[{}, { file: '/wal/1', checkEmptyArchive: undefined }], 'recovery'])
  t.match((await client.ask('backup', { cluster: c, object: backup })).result, {
    backupName: 'b',
    startedAt: '1700000000',
    online: true,
  })
  t.match((await client.ask('restore-job', { cluster: c })).result, { envs: ['A=1'] })
  const enriched = await client.ask('enrich', {
    cluster: c,
    config: { work_mem: '4MB' },
    operation: 'RECONCILE',
  })
  t.match(enriched.result, { config: { work_mem: '4MB', from_plugin: 'reconcile' } })
  t.match(JSON.stringify((await client.ask('metrics', { cluster: c })).result), 'hello_total')
})

void t.test(
  'a hook that is not deterministic, or changes its own output, fails in tests',
  { skip },
  async (t) => {
    let count = 0
    const random = await served(t, {}, (plugin) =>
      plugin.pods({
        instance(_ctx, draft) {
          draft.metadata.labels = { count: String(count++) }
        },
      }),
    )
    const failed = await random.ask('lifecycle', { verb: 'EVALUATE', cluster: cluster(), object: pod })
    t.match(
      failed.error,
      'Pod default/db-1: /metadata/labels/count differs between two runs of the hook for the same Pod',
    )
    t.match(
      failed.error,
      /again and again\. Give the same Pod the same answer, without times, random values and counters$/,
    )
    const growing = await served(t, {}, (plugin) =>
      plugin.pods({
        instance(_ctx, draft) {
          draft.spec?.containers.push({ name: `more-${draft.spec.containers.length}`, image: 'x' })
        },
      }),
    )
    const grown = await growing.ask('lifecycle', { verb: 'EVALUATE', cluster: cluster(), object: pod })
    t.match(grown.error, '/spec/containers/2 is changed again by the hook when it gets its own output')
    t.match(grown.error, /Add a part only if the Pod does not have it$/)
  },
)

void t.test('a hook that renames the object is refused, with the object in the text', { skip }, async (t) => {
  const client = await served(t, {}, (plugin) =>
    plugin.pods({
      create(_ctx, draft) {
        draft.metadata.name = 'another'
      },
    }),
  )
  const failed = await client.ask('lifecycle', { verb: 'CREATE', cluster: cluster(), object: pod })
  t.match(failed.error, 'Pod default/db-1: the hook must not change metadata.name')
})

void t.test('a part that the object does not have is added as a whole', { skip }, async (t) => {
  const client = await served(t, {}, (plugin) =>
    plugin.pods({
      create(_ctx, draft) {
        draft.spec = { ...draft.spec, containers: [{ name: 'postgres' }] }
      },
    }),
  )
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'bare' } }
  const { result, error } = await client.ask('lifecycle', { verb: 'CREATE', cluster: cluster(), object })
  t.equal(error, undefined)
  t.match(result, { object: { spec: { containers: [{ name: 'postgres' }] } } })
})

void t.test('a number beyond 2^53 that no hook touches stays', { skip }, async (t) => {
  const schema = z.object({ note: jsonText(z.string().default('x')) })
  const client = await served(t, { parameters: schema }, (plugin) =>
    plugin.pods({
      create(ctx, draft) {
        draft.metadata.annotations = { note: ctx.parameters.note }
      },
    }),
  )
  const object = { ...pod, metadata: { ...pod.metadata, generation: 9_007_199_254_740_993n } }
  const { result } = await client.ask('lifecycle', { verb: 'CREATE', cluster: cluster(), object })
  t.same((result as { patch: unknown }).patch, [
    { op: 'add', path: '/metadata/annotations', value: { note: 'x' } },
  ])
})

void t.test('new certificates are served without a restart', { skip, timeout: 180_000 }, async (t) => {
  const folder = t.testdir()
  const files = writeCertificates(folder)
  const plugin = new PluginRuntime({
    name,
    version: '0.1.0',
    logger: silentLogger,
    env: {},
    args: serverFlags('127.0.0.1:0', files),
  })
  const ended = plugin.start()
  while (!plugin.address) await new Promise((resolve) => setTimeout(resolve, 5))
  const before = startClient(clientFlags(plugin.address, files))
  t.notOk((await before.ask('load')).error)
  writeCertificates(folder)
  let error: string | undefined = 'not asked'
  while (error !== undefined) {
    const after = startClient(clientFlags(plugin.address, files))
    error = (await after.ask('load')).error
    await after.end()
  }
  t.notOk((await before.ask('probe')).error, 'open connections stay')
  await before.end()
  await plugin.stop()
  await ended
})

void t.test('what cannot be served is refused at the start, in words', async (t) => {
  const folder = t.testdir()
  const files = writeCertificates(folder)
  const start = (args: string[], more: object = {}) =>
    new PluginRuntime({ name, version: '1', logger: silentLogger, env: {}, args, ...more }).start()
  const other = writeCertificates(mkdtempSync(join(tmpdir(), 'cnpg-')), [])
  await t.rejects(start(serverFlags('127.0.0.1:0', { ...files, serverKey: other.clientKey })), {
    code: 'INVALID_CERTIFICATE',
    message: /is not that of the certificate/,
  })
  await t.rejects(start(serverFlags('127.0.0.1:0', other)), { message: /has no subjectAltName/ })
  await t.rejects(start(serverFlags('127.0.0.1:0', { ...files, clientCa: '/nowhere' })), {
    message: '/nowhere cannot be read (ENOENT): mount the Secret of the certificate there',
  })
  writeFileSync(files.clientCa, '')
  await t.rejects(start(serverFlags('127.0.0.1:0', files)), { message: /holds no certificate/ })
  t.throws(() => start(['--server-address', '127.0.0.1:0']), {
    code: 'INVALID_ADDRESS',
    message: /needs --server-cert/,
  })
  t.throws(() => start(['--server-adress', '127.0.0.1:0', '--server-cert', files.serverCert]), {
    message: /^certificates were given without --server-address/,
  })
  t.throws(() => start([], { name: 'Not_A_Name' }), { code: 'INVALID_NAME' })
})

void t.test('a plugin that is started by hand says why there is no socket, and what to do', async (t) => {
  const start = (folder: string) => {
    const args = ['--plugin-path', folder]
    return new PluginRuntime({ name, version: '1', logger: silentLogger, env: {}, args }).start()
  }
  const folder = mkdtempSync(join(tmpdir(), 'cnpg-'))
  writeFileSync(join(folder, 'file'), '')
  const printed = t.capture(console, 'error')
  await t.rejects(start('/nowhere/plugins'), {
    code: 'CANNOT_LISTEN',
    message: `cannot create the socket /nowhere/plugins/${name}: there is no folder /nowhere/plugins; to try the plugin on this machine, run vcluster-plugin dev; to serve it, pass --plugin-path with a folder, or --server-address with --server-cert, --server-key and --client-ca`,
  })
  await t.rejects(start(join(folder, 'file')), { message: /: \S+\/file is not a folder; to try/ })
  t.same(printed(), [], 'gRPC prints nothing')
})

void t.test('a socket: another process, another file, a stale one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cnpg-'))
  const path = join(folder, name)
  const make = () =>
    new PluginRuntime({ name, version: '1', logger: silentLogger, env: {}, args: ['--plugin-path', folder] })
  writeFileSync(path, '')
  await t.rejects(make().start(), { code: 'CANNOT_LISTEN', message: /is not a socket/ })
  rmSync(path)
  const server = createServer().listen(path)
  await t.rejects(make().start(), { code: 'CANNOT_LISTEN', message: /another process serves/ })
  await new Promise((resolve) => server.close(resolve))
  const plugin = make()
  const ended = plugin.start()
  while (!plugin.address) await new Promise((resolve) => setTimeout(resolve, 5))
  t.equal(statSync(path).mode & 0o777, 0o666)
  await plugin.stop()
  await ended
  t.notOk(existsSync(path))
})
