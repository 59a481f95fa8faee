import { execFileSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { silentLogger } from '../observe/logger.js'
import { createTransport } from './create-transport.js'
import { Credentials } from './credentials.js'
import { inClusterKubeconfig, loadDefaultKubeconfig } from './default-kubeconfig.js'
import type { Kubeconfig, KubeconfigUser } from './kubeconfig.js'
import { loadKubeconfig } from './load-kubeconfig.js'
import { createAuthority } from './local-server.fixture.js'
import { secureContextOf } from './secure-context.js'

const full = `
apiVersion: v1
kind: Config
current-context: one
clusters:
- name: c
  cluster:
    server: https://10.0.0.1:6443/prefix/
    certificate-authority: ca.crt
    certificate-authority-data: Q0E=
    tls-server-name: api.test
    insecure-skip-tls-verify: true
    proxy-url: http://proxy:3128
    extensions:
    - name: other
      extension: { text: 1 }
    - name: client.authentication.k8s.io/exec
      extension: { audience: "06", port: 8443, id: 12345678901234567890, tls: true, scopes: [0123, -1.5] }
contexts:
- name: one
  context: { cluster: c, user: u, namespace: team }
- name: two
  context: { cluster: c }
- name: dangling
  context: { cluster: c, user: missing }
users:
- name: u
  user:
    token: 0123
    tokenFile: /abs/token
    client-certificate: certs/me.crt
    client-key: ../me.key
    username: null
    as: alice
    as-uid: a1
    as-groups: [dev, ops]
    as-user-extra: { scopes: [x, y] }
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: ./bin/login
      args: [--id, "1"]
      env: [{ name: A, value: b }]
      provideClusterInfo: true
`

void t.test('a context brings everything that its cluster and user say', async (t) => {
  const dir = t.testdir({ config: full })
  const config = await loadKubeconfig({ file: `${dir}/config` })
  t.same(config, {
    source: `kubeconfig ${dir}/config`,
    server: 'https://10.0.0.1:6443/prefix',
    namespace: 'team',
    caFile: `${dir}/ca.crt`,
    caData: 'Q0E=',
    tlsServerName: 'api.test',
    skipTlsVerify: true,
    proxyUrl: 'http://proxy:3128',
    execConfig: { audience: '06', port: 8443, id: 12345678901234567890n, tls: true, scopes: ['0123', -1.5] },
    user: {
      token: '0123',
      tokenFile: '/abs/token',
      certFile: `${dir}/certs/me.crt`,
      keyFile: (await import('node:path')).resolve(dir, '../me.key'),
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1beta1',
        command: `${dir}/bin/login`,
        args: ['--id', '1'],
        env: { A: 'b' },
        provideClusterInfo: true,
        interactiveMode: 'IfAvailable',
        installHint: '',
      },
      impersonate: { user: 'alice', uid: 'a1', groups: ['dev', 'ops'], extra: { scopes: ['x', 'y'] } },
    },
  })
  t.same((await loadKubeconfig({ text: full, context: 'two' })).user, {}, 'a context without a user')
})

void t.test('an extension for exec plugins may be any JSON, and other extensions are ignored', async (t) => {
  const read = (extension: string) =>
    loadKubeconfig({ text: full.replace('{ audience: "06"', `${extension} # { audience: "06"`) })
  for (const [text, execConfig] of [
    ['[a, 1]', ['a', 1]],
    ['login', 'login'],
    ['"1"', '1'],
    ['7', 7],
    ['false', false],
    ['null', undefined],
  ] as const)
    t.strictSame((await read(text)).execConfig, execConfig, text)
  const entries = ['text', '[a]', 'null', '{ name: [a] }', '{ name: b, extension: text }']
  const mixed = full.replace('extensions:', `extensions:\n${entries.map((one) => `    - ${one}`).join('\n')}`)
  t.match((await loadKubeconfig({ text: mixed })).execConfig, { audience: '06' })
  const wrong = full.replace('extensions:', 'extensions: text\n    other:')
  await t.rejects(loadKubeconfig({ text: wrong }), /has clusters\[0\]\.cluster\.extensions of the wrong type/)
})

void t.test('a kubeconfig that cannot be used is refused with one clear sentence', async (t) => {
  const dir = t.testdir({ broken: 'clusters:\n  - name: a\n cluster: c4n4ry\n', large: '' })
  truncateSync(`${dir}/large`, 200 * 2 ** 20)
  execFileSync('mkfifo', [`${dir}/pipe`])
  const base = (lines: string) => `current-context: x\n${lines}`
  const withCluster = (cluster: string) =>
    base(`contexts: [{ name: x, context: { cluster: c } }]\nclusters: [{ name: c, cluster: ${cluster} }]`)
  // Each list has nine times the one before it.
  const lists = [1, 2, 3, 4, 5, 6].map(
    (at) =>
      `l${at}: &l${at} [${Array(9)
        .fill(`*l${at - 1}`)
        .join()}]`,
  )
  const aliases = ['l0: &l0 [x]', ...lists].join('\n')
  const cases: [Parameters<typeof loadKubeconfig>[0], RegExp][] = [
    [{ file: `${dir}/none` }, /^kubeconfig .*\/none does not exist; check the path and KUBECONFIG\.$/],
    [
      { file: `${dir}/large` },
      /^kubeconfig .*\/large cannot be read \(it has 200\.0 MiB, more than the 4\.0 MiB/,
    ],
    [
      { file: `${dir}/pipe` },
      /^kubeconfig .*\/pipe cannot be read \(it is not a regular file\); check the path/,
    ],
    [{ file: dir }, /cannot be read \(it is not a regular file\)/],
    [
      { text: withCluster('{ server: "http://h", proxy-url: "http://me:c4n4ry@ho st" }') },
      /has a proxy-url that is not an http: or https: URL\.$/,
    ],
    [
      { text: withCluster('{ server: "http://h", proxy-url: "%%%" }') },
      /has a proxy-url that is not an http: or https: URL\.$/,
    ],
    [
      { text: withCluster('{ server: "http://h", proxy-url: "socks5://h" }') },
      /has a proxy-url that is not an http: or https: URL\.$/,
    ],
    [{ file: `${dir}/broken` }, /^kubeconfig .*\/broken does not parse: line 3, column \d+: /],
    [{ text: 'hello c4n4ry', source: 'the text' }, /^the text line 1: is not a kubeconfig/],
    [{ text: '' }, /is not a kubeconfig/],
    [{ text: 'users: *c4n4ry' }, /^kubeconfig does not parse: an alias has no anchor/],
    [{ text: aliases }, /^kubeconfig does not parse: .* or there are too many aliases\.$/],
    [{ text: 'apiVersion: v1' }, /has no current-context; set one/],
    [{ text: full, context: 'zzz' }, /has no context "zzz"/],
    [{ text: full, context: 'dangling' }, /has no user "missing", which context "dangling" refers to/],
    [{ text: base('contexts: [{ name: x, context: { cluster: c } }]') }, /has no cluster "c"/],
    [{ text: base('contexts: { name: x }') }, /has contexts of the wrong type: it should be a list/],
    [{ text: base('contexts: [c4n4ry]') }, /has contexts of the wrong type: it should be a list of mappings/],
    [{ text: withCluster('{ server: "ftp://u:c4n4ry@h" }') }, /is not an http\(s\) URL: "ftp:\/\/h\/"/],
    [{ text: withCluster('{ server: "u:c4n4ry@h:6443" }') }, /is not an http\(s\) URL\.$/],
    [{ text: withCluster('{ server: "https://u:p/c4n4ry@h" }') }, /is not an http\(s\) URL\.$/],
    [{ text: withCluster('{}') }, /names no server for context "x"/],
    [
      { text: withCluster('{ server: localhost }') },
      /has a server that is not an http\(s\) URL: "localhost"/,
    ],
    [
      { text: withCluster('{ server: "http://h", insecure-skip-tls-verify: 1 }') },
      /it should be true or false/,
    ],
    [{}, /needs a file or a text/],
  ]
  for (const [options, message] of cases) {
    const error = await loadKubeconfig(options).catch((error: unknown) => error as Error)
    t.match(error, { name: 'PluginError', code: 'INVALID_KUBECONFIG', message })
    t.notMatch(String((error as Error).stack), 'c4n4ry')
  }
})

void t.test('a user and a password in the URL of a server are left out', async (t) => {
  const contexts = 'contexts: [{ name: x, context: { cluster: c } }]'
  for (const user of ['admin:c4n4ry', 'admin:p@c4n4ry', 'c4n4ry']) {
    const cluster = `{ server: "https://${user}@h:6443/" }`
    const text = `current-context: x\n${contexts}\nclusters: [{ name: c, cluster: ${cluster} }]\n`
    t.equal((await loadKubeconfig({ text })).server, 'https://h:6443')
  }
})

void t.test('the default is what kubectl takes, and in a pod its service account', async (t) => {
  const dir = t.testdir({
    one: full,
    home: { '.kube': { config: full.replace('10.0.0.1', '10.0.0.2') } },
    sa: { token: 'tok', 'ca.crt': 'ca', namespace: 'ns\n' },
  })
  const pod = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
  const server = async (env: NodeJS.ProcessEnv) =>
    (await loadDefaultKubeconfig({ env, directory: `${dir}/sa` })).server
  t.match(await server({ KUBECONFIG: `${dir}/none:${dir}/one`, HOME: `${dir}/home` }), '10.0.0.1')
  t.match(await server({ HOME: `${dir}/home` }), '10.0.0.2')
  await t.rejects(server({ KUBECONFIG: `${dir}/none` }), /does not exist/)
  t.equal(await server({ HOME: dir, ...pod }), 'https://[fd00::1]:443')
  await t.rejects(server({ HOME: dir }), {
    code: 'INVALID_KUBECONFIG',
    message: /KUBECONFIG is not set, \S+\/\.kube\/config does not exist, .*Set KUBECONFIG to the path of a/,
  })
  t.same(await inClusterKubeconfig({ directory: `${dir}/sa`, env: pod }), {
    source: "the pod's service account",
    server: 'https://[fd00::1]:443',
    caFile: `${dir}/sa/ca.crt`,
    namespace: 'ns',
    user: { tokenFile: `${dir}/sa/token` },
  })
})

function credentialsOf(user: KubeconfigUser, more: Partial<Kubeconfig> = {}) {
  const clock = new VirtualClock()
  const kubeconfig = { source: 'test', server: 'https://api.test', user, ...more }
  const logged: string[] = []
  const logger = { ...silentLogger, warn: (_: unknown, text: string) => void logged.push(text) }
  return { clock, logged, credentials: new Credentials({ kubeconfig, clock, logger }) }
}

async function authorizationOf(credentials: Credentials) {
  return (await credentials.current()).headers.authorization
}

void t.test('a user becomes headers and certificates', async (t) => {
  const dir = t.testdir({ token: 'from-file\n', crt: 'CRT' })
  const headersOf = async (user: KubeconfigUser) => (await credentialsOf(user).credentials.current()).headers
  t.same(await headersOf({}), {})
  t.same(await headersOf({ token: 'a' }), { authorization: 'Bearer a' })
  t.same(await headersOf({ token: 'a', tokenFile: `${dir}/token` }), { authorization: 'Bearer from-file' })
  t.same(await headersOf({ token: 'a', tokenFile: '/not/here' }), { authorization: 'Bearer a' })
  t.same(await headersOf({ username: 'u', password: 'p' }), { authorization: 'Basic dTpw' })
  await t.rejects(
    headersOf({ tokenFile: '/not/here' }),
    /The credential file \/not\/here cannot be read \(ENOENT\)/,
  )
  const impersonate = { user: 'alice', uid: '1', groups: ['g', 'h'], extra: { 'Acme.com/Role': ['x'] } }
  t.same(await headersOf({ impersonate }), {
    'impersonate-user': 'alice',
    'impersonate-uid': '1',
    'impersonate-group': ['g', 'h'],
    'impersonate-extra-acme.com%2frole': ['x'],
  })
  const { credentials } = credentialsOf({ certFile: `${dir}/crt`, keyData: 'S0VZ' }, { caData: 'Q0E=' })
  t.same((await credentials.current()).tls, { ca: 'CA', cert: 'CRT', key: 'KEY' })
})

void t.test('data of a kubeconfig has precedence over a file, which may be absent', async (t) => {
  const user = { certFile: '/not/here', certData: 'Q1JU', keyFile: '/not/here', keyData: 'S0VZ' }
  const { credentials } = credentialsOf(user, { caFile: '/not/here', caData: 'Q0E=' })
  t.same((await credentials.current()).tls, { ca: 'CA', cert: 'CRT', key: 'KEY' })
})

void t.test(
  'rotated files are read again once a minute, and a missing one leaves the old in use',
  async (t) => {
    const dir = t.testdir({ token: 'one', crt: 'A' })
    const { credentials, clock } = credentialsOf({ tokenFile: `${dir}/token`, certFile: `${dir}/crt` })
    const first = await credentials.current()
    await writeFile(`${dir}/token`, 'two')
    await clock.advance(59_999)
    t.equal(credentials.current(), first, 'without a promise, because nothing is read')
    await clock.advance(1)
    const second = await credentials.current()
    t.equal(second.headers.authorization, 'Bearer two')
    t.equal(second.tls, first.tls, 'connections go on where the certificate is the same')
    await clock.advance(60_000)
    t.equal(await credentials.current(), second)
    t.testdir({})
    await clock.advance(60_000)
    t.equal(await credentials.current(), second)
    t.testdir({ token: 'three', crt: 'B' })
    await clock.advance(10_000)
    const third = await credentials.current()
    t.match(third, { headers: { authorization: 'Bearer three' }, tls: { cert: 'B' } })
  },
)

/** An exec plugin that counts its runs in a file and prints a credential with `status`. */
function execUser(test: Test, status: string, more: object = {}) {
  const dir = test.testdir({ runs: '' })
  const credential = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":${status}}`
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    args: ['-c', `echo "$KUBERNETES_EXEC_INFO" >> ${dir}/runs; cat <<E\n${credential}\nE`],
    env: { WHO: 'me' },
    provideClusterInfo: true,
    interactiveMode: 'IfAvailable',
    installHint: 'Install it.',
    ...more,
  }
  const runs = async () => (await readFile(`${dir}/runs`, 'utf8')).trim().split('\n').filter(Boolean)
  return { exec, runs }
}

void t.test(
  'an exec plugin runs once for all waiting calls, and again before its answer expires',
  async (t) => {
    const { exec, runs } = execUser(t, '{"token":"$WHO","expirationTimestamp":"2024-01-01T00:10:00Z"}')
    const { credentials, clock } = credentialsOf({ exec }, { caData: 'Q0E=' })
    const all = await Promise.all(Array.from({ length: 10 }, () => authorizationOf(credentials)))
    t.same(all, Array(10).fill('Bearer me'))
    const [info] = (await runs()).map((line) => JSON.parse(line) as unknown)
    t.same(info, {
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: {
        interactive: false,
        cluster: { server: 'https://api.test', 'certificate-authority-data': 'Q0E=' },
      },
    })
    await clock.advance(9 * 60_000 - 1)
    await credentials.current()
    t.equal((await runs()).length, 1)
    await clock.advance(1)
    await credentials.current()
    t.equal((await runs()).length, 2, 'one minute before the end')
  },
)

void t.test(
  'an exec plugin gets the authority from a file, and the configuration of the cluster',
  async (t) => {
    const { exec, runs } = execUser(t, '{"token":"t"}')
    const caFile = `${t.testdirName}/runs`
    await writeFile(caFile, 'CA')
    const execConfig = { audience: 'a', port: 1 }
    await credentialsOf({ exec }, { caFile, execConfig }).credentials.current()
    const { spec } = JSON.parse((await runs()).join('').replace(/^CA/, ''))
    t.same(spec.cluster, {
      server: 'https://api.test',
      'certificate-authority-data': 'Q0E=',
      config: execConfig,
    })
  },
)

void t.test(
  'a 401 runs an exec plugin again, but a server that refuses everybody not for every call',
  async (t) => {
    const { exec, runs } = execUser(t, '{"clientCertificateData":"C","clientKeyData":"K"}')
    const { credentials, clock } = credentialsOf({ exec })
    const used = await credentials.current()
    t.same(used, { headers: {}, tls: { cert: 'C', key: 'K' } })
    const renew = () => Promise.all(Array.from({ length: 5 }, () => credentials.renew(used)))
    t.same(await renew(), Array(5).fill(undefined), 'nothing new came of it')
    t.same(await renew(), Array(5).fill(undefined))
    await clock.advance(4_999)
    await renew()
    t.equal((await runs()).length, 2)
    await clock.advance(1)
    await renew()
    t.equal((await runs()).length, 3)
  },
)

void t.test('an exec plugin that does not work says so, without its output', async (t) => {
  const failing = (status: string, more: object = {}) => {
    const { exec } = execUser(t, status, more)
    return credentialsOf({ exec }).credentials.current()
  }
  const cases: [string, object, RegExp][] = [
    ['{}', { command: '/not/here' }, /exec plugin \/not\/here did not start \(ENOENT\)\. Install it\./],
    ['{}', { args: ['-c', 'exit 3'] }, /exec plugin sh failed \(exit code 3\); run it by hand/],
    ['{}', { args: ['-c', 'echo c4n4ry'] }, /printed something that is not JSON/],
    ['{}', { interactiveMode: 'Always' }, /wants a terminal/],
    ['{"token":"c4n4ry"}', { apiVersion: 'client.authentication.k8s.io/v1beta1' }, /in another apiVersion/],
    ['{"clientKeyData":"c4n4ry"}', {}, /answered no token and no certificate with key/],
    ['{}', { args: ['-c', 'head -c 2000000 /dev/zero'] }, /printed more than 1048576 bytes/],
    ['{}', { args: ['-c', 'echo null'] }, /exec plugin sh printed JSON that is not an ExecCredential/],
    ['{}', { args: ['-c', 'echo "[]"'] }, /exec plugin sh printed JSON that is not an ExecCredential/],
    ['"c4n4ry"', {}, /exec plugin sh printed JSON that is not an ExecCredential/],
  ]
  for (const [status, more, message] of cases) {
    const error = await Promise.resolve(failing(status, more)).catch((error: unknown) => error as Error)
    t.match(error, { message })
    t.notMatch(String((error as Error).stack), 'c4n4ry')
  }
})

/** Resolves when the process has ended, even if its parent has not read its exit status. */
async function whenGone(pid: number): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    if (stat === '' || stat.includes(') Z ')) return
  }
}

/** The number that a program writes to a file. */
async function numberIn(file: string): Promise<number> {
  for (;;) {
    const number = Number(await readFile(file, 'utf8').catch(() => ''))
    if (number > 0) return number
  }
}

const answer =
  '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"me"}}'

void t.test('an exec plugin that ignores SIGTERM is killed with all it started', async (t) => {
  const dir = t.testdir({})
  // Child processes inherit the ignored signal.
  const script = `trap '' TERM; sh -c 'echo $$ > ${dir}/pid; sleep 99' & sleep 99`
  const { exec } = execUser(t, '{}', { args: ['-c', script] })
  const { credentials, clock, logged } = credentialsOf({ exec })
  const waiting = Promise.resolve(credentials.current())
  const pid = await numberIn(`${dir}/pid`)
  await clock.advance(10_000)
  t.match(credentials.problem, /^the exec plugin sh of .* has given no answer for 10 s; all calls to .* wait/)
  t.match(logged, [/^the exec plugin sh of .* has given no answer for 10 s/])
  const rejected = t.rejects(waiting, {
    message: "The kubeconfig's exec plugin sh did not end within 60 s and was killed; run it by hand.",
  })
  await clock.advance(50_000)
  await rejected
  t.match(credentials.problem, /did not end within 60 s/)
  await clock.advance(2000)
  await whenGone(pid)
})

void t.test('a process that an exec plugin leaves behind delays no answer', async (t) => {
  const dir = t.testdir({})
  const script = `sh -c 'echo $$ > ${dir}/pid; exec sleep 99' & echo '${answer}'`
  const { exec } = execUser(t, '{}', { args: ['-c', script] })
  const { credentials, clock } = credentialsOf({ exec })
  const waiting = authorizationOf(credentials)
  const pid = await numberIn(`${dir}/pid`)
  let answered = false
  void waiting.then(() => (answered = true))
  while (!answered) {
    await clock.advance(100)
    await new Promise((resolve) => setImmediate(resolve))
    t.ok(clock.now() < 60_000, 'it is not waited for until its limit') || t.bailout()
  }
  t.equal(await waiting, 'Bearer me')
  await clock.advance(2000)
  await whenGone(pid)
})

void t.test(
  'a call does not wait for an exec plugin longer than its own limit, nor a close at all',
  async (t) => {
    const dir = t.testdir({})
    const { exec } = execUser(t, '{}', { args: ['-c', `echo $$ > ${dir}/pid; exec sleep 99`] })
    const transport = createTransport({
      kubeconfig: { source: 'a test', server: 'http://127.0.0.1:9', user: { exec } },
    })
    const call = transport.request({ method: 'GET', path: '/', signal: AbortSignal.timeout(1) })
    await t.rejects(call, { name: 'TimeoutError' })
    const another = t.rejects(transport.request({ method: 'GET', path: '/' }), /closed by this program/)
    const pid = await numberIn(`${dir}/pid`)
    await transport.close()
    await another
    await whenGone(pid)
  },
)

/** A token as an OpenID provider issues it, unsigned. */
function idToken(expiresAtSeconds: number, name: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [part({ alg: 'RS256' }), part({ exp: expiresAtSeconds, name }), 'c2ln'].join('.')
}

void t.test('the older auth-providers work: oidc, gcp and azure', async (t) => {
  const inAnHour = Date.now() / 1000 + 3600
  const token = idToken(inAnHour, 'me')
  const oidc = { name: 'oidc', config: { 'id-token': token } }
  t.equal(await authorizationOf(credentialsOf({ authProvider: oidc }).credentials), `Bearer ${token}`)
  const expiry = new Date(inAnHour * 1000).toISOString()
  for (const name of ['gcp', 'azure']) {
    const provider = { name, config: { 'access-token': 'tok', expiry } }
    t.equal(await authorizationOf(credentialsOf({ authProvider: provider }).credentials), 'Bearer tok')
  }
  const unknown = credentialsOf({ authProvider: { name: 'magic', config: {} } }).credentials
  await t.rejects(authorizationOf(unknown), {
    code: 'INVALID_KUBECONFIG',
    message: /auth-provider "magic".*oidc, gcp, azure/,
  })
})

void t.test('a message about a kubeconfig has few names of it', async (t) => {
  const contexts = Array.from({ length: 12 }, (_, index) => `{ name: c${index} }`).join(', ')
  const message = async (text: string) =>
    String(await loadKubeconfig({ text }).catch((error: unknown) => (error as Error).message))
  t.equal(
    await message(`current-context: x\ncontexts: [${contexts}]`),
    'kubeconfig has no context "x"; it has: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 2 more.',
  )
  t.equal(await message('current-context: x\ncontexts: []'), 'kubeconfig has no context "x"; it has: none.')
  const long = 'n'.repeat(100_000)
  const context = `contexts: [{ name: ${long}, context: { cluster: ${long}, user: ${long} } }]`
  const texts = [
    `current-context: x\n${context}`,
    `current-context: ${long}\ncontexts: []`,
    `current-context: ${long}\n${context}`,
    `current-context: ${long}\n${context}\nclusters: [{ name: ${long}, cluster: { server: "ftp:${long}" } }]`,
    `current-context: c\ncontexts: [{ name: c, context: { cluster: c } }]\nclusters: [{ name: c, cluster: { server: "ftp:${long}" } }]`,
  ]
  for (const text of texts) t.ok((await message(text)).length < 1000)
})

void t.test('a certificate or key that is none is named with its kubeconfig, and not quoted', async (t) => {
  const { ca, issue } = await createAuthority()
  const pair = await issue('me')
  secureContextOf({ ca, ...pair }, 'a kubeconfig')
  const junk = 'c4n4ry'
  const cases: [Parameters<typeof secureContextOf>[0], string][] = [
    [{ ca: junk, ...pair }, 'certificate-authority'],
    [{ ca, ...pair, cert: junk }, 'client-certificate'],
    [{ ca, ...pair, key: junk }, 'client-key'],
  ]
  for (const [tls, part] of cases) {
    const error = t.throws(() => secureContextOf(tls, 'kubeconfig x'), {
      message: new RegExp(`^${part} of kubeconfig x is not usable as PEM \\(ERR_\\w+\\); check the file`),
    })
    t.notMatch(String((error as Error).stack), junk)
  }
  const other = await issue('another')
  t.throws(() => secureContextOf({ ...pair, key: other.key }, 'x'), { code: /KEY_VALUES_MISMATCH/ })
})
