import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { secrets } from '../../sdk/engine/kube/builtin.js'
import { ApiError } from '../../sdk/engine/kube/error.js'
import { type InterceptContext, Interceptor } from '../../sdk/vcluster/hook/interceptor.js'
import type { InterceptorRule } from '../../sdk/vcluster/hook/interceptor-rule.js'
import { RuleTable } from '../../sdk/vcluster/hook/rule-table.js'
import { testPlugin } from '../../testing/plugin/test-plugin.js'
import { shownByGoPlugin } from './go-plugin-log.js'
import { parseHandshake } from './handshake.js'
import { startPluginProgram } from './plugin-program.js'
import { routeOf } from './routes.js'
import { startVClusterWithPlugins } from './vcluster-with-plugins.js'

void t.test('the first line of a plugin is read as go-plugin reads it', async (t) => {
  t.same(parseHandshake('1|1|unix|/tmp/a|grpc\n'), { network: 'unix', address: 'unix:/tmp/a' })
  t.same(parseHandshake('1|1|tcp|127.0.0.1:1|grpc|'), { network: 'tcp', address: '127.0.0.1:1' })
  const table: [string, RegExp][] = [
    ['npm warn', /^Unrecognized remote plugin message: npm warn$/],
    ['2|1|unix|/a|grpc', /^Incompatible core API version with plugin\. Plugin version: 2, Core version: 1$/],
    ['1|2|unix|/a|grpc', /^incompatible API version with plugin\. Plugin version: 2, /],
    ['1|1|pipe|/a|grpc', /^Unknown address type/],
    ['1|1|unix|/a', /^Unsupported plugin protocol "netrpc"\. Supported: \[grpc\]$/],
    [`1|1|unix|/a|grpc|${'c'.repeat(51)}`, /a certificate/],
  ]
  for (const [line, message] of table) t.throws(() => parseHandshake(line), { message })
})

void t.test('vcluster shows the lines of standard error that go-plugin passes on', async (t) => {
  const entry = { '@level': 'info', '@message': 'hello', '@timestamp': '2026-01-02T03:04:05.000000Z', a: 1 }
  const shown = (fields: object) => shownByGoPlugin(JSON.stringify(fields))
  t.equal(shown(entry), '[INFO] plugin.plugin: hello: a=1 timestamp=2026-01-02T03:04:05.000000Z')
  t.match(shown({ ...entry, '@timestamp': undefined }), /timestamp=0001-01-01/)
  t.match(shownByGoPlugin('[WARN] beware'), /beware/)
  const dropped = [
    ...[
      { ...entry, '@level': 'debug' },
      { level: 30, msg: 'pino' },
      { ...entry, '@level': undefined },
    ],
    ...[
      { ...entry, '@timestamp': '2026-01-02T03:04:05.000Z' },
      { ...entry, '@message': 'x'.repeat(70_000) },
    ],
  ]
  for (const fields of dropped) t.equal(shown(fields), undefined)
  for (const line of ['plain', '[DEBUG] x', '[1]']) t.equal(shownByGoPlugin(line), undefined)
  t.throws(() => shown({ ...entry, '@message': 1 }), { message: /would end the vcluster process/ })
})

void t.test('a request is routed as vcluster routes it', async (t) => {
  const table = new RuleTable<{ name: string }>()
  const rules: Record<string, InterceptorRule> = {
    everyPod: { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
    onePod: { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] },
    allOfApps: { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
    named: { verbs: ['*'], apiGroups: ['batch'], resources: ['jobs'], resourceNames: ['a'] },
    probes: { verbs: ['get'], nonResourceURLs: ['/probe/*'] },
    version: { verbs: ['*'], nonResourceURLs: ['/version'] },
  }
  for (const [name, rule] of Object.entries(rules)) t.equal(table.add(rule, { name }), undefined)
  const cases: [string, string, string | undefined][] = [
    ['GET', '/api/v1/namespaces/x/pods/a', 'onePod'],
    ['GET', '/api/v1/namespaces/x/pods/b', 'everyPod'],
    ['GET', '/api/v1/namespaces/x/pods/b/log', 'everyPod'],
    ['GET', '/api/v1/namespaces/x/pods', undefined],
    ['POST', '/apis/apps/v1/namespaces/x/deployments', 'allOfApps'],
    ['GET', '/apis/batch/v1/namespaces/x/jobs/a', undefined],
    ['GET', '/probe/x', 'probes'],
    ['POST', '/probe/x', undefined],
    ['POST', '/version', 'version'],
    ['GET', '/version/x', undefined],
  ]
  for (const [method, path, name] of cases)
    t.equal(routeOf(table, { method, url: `http://x${path}` })?.name, name, `${method} ${path}`)
})

/** The program of a plugin as a shell script of a few lines. */
function shell(t: Test, script: string): string {
  const file = join(t.testdir({ example: {} }), 'example/plugin')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

void t.test('"a program that is not a plugin is rejected with go-plugin\'s messages', async (t) => {
  const start = (script: string, options: { startTimeoutMs?: number } = {}) =>
    startPluginProgram({ file: shell(t, script), ...options })
  await t.rejects(start('echo hello; exec sleep 9'), { message: 'Unrecognized remote plugin message: hello' })
  await t.rejects(start('exit 3'), { message: 'plugin exited before we could connect' })
  await t.rejects(start('exec sleep 9', { startTimeoutMs: 500 }), {
    message: 'timeout while waiting for plugin to start',
  })
  await t.rejects(startPluginProgram({ file: join(t.testdirName, 'none') }), { code: 'ENOENT' })
})

void t.test('a plugin gets the cookie and its configuration as YAML', async (t) => {
  const file = shell(t, 'echo "$VCLUSTER_PLUGIN $PLUGIN_PROTOCOL_VERSIONS $PLUGIN_CONFIG$OTHER"')
  const start = (config?: object) =>
    startVClusterWithPlugins({
      programs: [file],
      virtualKubeconfigFile: 'none',
      hostKubeconfig: '',
      env: { OTHER: 'kept' },
      ...(config && { config: { example: config } }),
    })
  await t.rejects(start({ a: [1] }), { message: new RegExp(`^start plugin ${file}: .*vcluster 1 a:$`) })
  await t.rejects(start(), { message: /vcluster 1 null$/ })
})

class Echo extends Interceptor {
  constructor() {
    super('echo', [
      { verbs: ['get', 'create'], apiGroups: [''], resources: ['secrets'] },
      { verbs: ['get'], nonResourceURLs: ['/echo/*'] },
    ])
  }

  override async handle(request: Request, { attributes }: InterceptContext) {
    if (attributes.verb === 'create') throw new ApiError({ code: 403, reason: 'Forbidden', message: 'kept' })
    if (!('path' in attributes)) return Response.json({ metadata: { name: `not ${attributes.name}` } })
    return Response.json(Object.fromEntries(request.headers))
  }
}

void t.test('requests of users go through the interceptors of a plugin under test', async (t) => {
  const test = await testPlugin((plugin) => plugin.register(new Echo()))
  t.teardown(() => test.stop())
  const key = { namespace: 'default', name: 'a' }
  await t.rejects(test.virtual.create(secrets, { metadata: key }), { code: 403, message: /kept/ })
  t.equal((await test.virtual.get(secrets, key)).metadata.name, 'not a')
  const { items } = await test.virtual.listAll(secrets, { namespace: 'default' })
  t.same(items, [], 'its rules do not match lists')
  const headers = { Authorization: 'Bearer x', 'Impersonate-User': 'root', 'X-Mine': 'kept' }
  const answer = await test.fetch('/echo/a?b', { headers })
  t.same(await answer.json(), { 'x-mine': 'kept' })
  t.equal((await test.fetch('/echo')).status, 404)
  t.equal((await test.fetch('/echo/../api')).status, 400)
  const made = {
    method: 'POST',
    body: '{"metadata":{"name":"b"}}',
    headers: { 'content-type': 'application/json' },
  }
  t.equal((await test.fetch('/api/v1/namespaces/default/configmaps', made)).status, 201)
  await t.rejects(
    testPlugin((plugin) => plugin.register(new Echo()), { version: '0.19' }),
    { code: 'INTERCEPTORS_UNSUPPORTED' },
  )
})
