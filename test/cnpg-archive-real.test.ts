// A real Postgres archives its WAL by the hooks of examples/cnpg-wal-archive, and is restored by them.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { parameters, register } from '../examples/cnpg-wal-archive/register.js'
import { walMethods } from '../sdk/cnpg/calls/methods.js'
import type { CnpgCluster } from '../sdk/cnpg/cluster/cluster.js'
import { PluginRuntime } from '../sdk/cnpg/plugin.js'
import { WALRestoreRequest_Mode as Mode } from '../sdk/cnpg/proto/gen/wal.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { freePorts } from '../simulator/free-ports.js'
import { RemoteCaller } from '../testing/cnpg/remote-caller.js'
import { until } from './until.js'

t.setTimeout(600_000)

/** The folder with `initdb`: the one that `POSTGRES_BIN` names, or the newest of Debian. */
function postgresFolder(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env.POSTGRES_BIN, ...versions.map((version) => join(debian, version, 'bin'))]
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, 'initdb')))
}

const bin = postgresFolder() ?? ''
const skip = bin === '' && 'needs Postgres: apt-get install postgresql, or set POSTGRES_BIN'
/** Postgres refuses to run as root; another user owns its files then. */
const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const name = 'wal-archive.example.org'
const cluster: CnpgCluster = {
  metadata: { namespace: 'databases', name: 'db' },
  spec: { instances: 1, plugins: [{ name, isWALArchiver: true, parameters: { claim: 'wal-archive' } }] },
}
const clusterDefinition = Buffer.from(JSON.stringify(cluster))

interface Postgres {
  data: string
  port: number
}

void t.test('Postgres archives by the plugin, and is restored by it to the last row', { skip }, async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'cnpg-pg-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await chmod(dir, 0o777)
  const archive = join(dir, 'archive')
  const asked = await startManager(t, dir, await servedPlugin(t, dir, archive))
  const [first = 0, second = 0] = await freePorts(2)
  const [origin, copy] = [
    { data: join(dir, 'first'), port: first },
    { data: join(dir, 'second'), port: second },
  ]
  await run('initdb', ['-D', origin.data, '-U', 'postgres', '-A', 'trust', '-N'])
  await appendFile(join(origin.data, 'postgresql.conf'), configuration(dir))
  await start(t, dir, origin)
  await sql(origin, 'CREATE TABLE lines (n int)')
  await sql(origin, 'INSERT INTO lines SELECT generate_series(1, 1000)')
  await run('pg_basebackup', [
    '-D',
    copy.data,
    '-X',
    'none',
    '-c',
    'fast',
    ...connection(dir, origin),
    '--no-sync',
  ])
  await sql(origin, 'INSERT INTO lines SELECT generate_series(1001, 5000)')
  await run('pg_ctl', ['-D', origin.data, '-w', '-m', 'fast', 'stop'])
  const stored = await readdir(join(archive, 'db'))
  t.ok(stored.length >= 2, stored.join(' '))
  t.ok(
    stored.every((file) => /^[0-9A-F]{24}/.test(file)),
    'no file is unfinished',
  )
  t.match(asked, ['/archive'])

  await writeFile(join(copy.data, 'recovery.signal'), '', { mode: 0o644 })
  await start(t, dir, copy)
  await until(async () => (await sql(copy, 'SELECT pg_is_in_recovery()')) === 'f')
  t.equal(await sql(copy, 'SELECT count(*), max(n) FROM lines'), '5000|5000')
  t.ok(asked.includes('/restore'))
})

/** The commands of a Postgres whose manager listens at a socket of this folder. */
function configuration(dir: string): string {
  const ask = (what: string, ...values: string[]) =>
    [`curl -sf -G --unix-socket ${dir}/manager http://manager/${what}`, ...values].join(' --data-urlencode ')
  return `
listen_addresses = ''
unix_socket_directories = '${dir}'
archive_mode = on
archive_command = '${ask('archive', '"file=$PWD/%p"')}'
restore_command = '${ask('restore', '"name=%f"', '"destination=$PWD/%p"')}'
`
}

const connection = (dir: string, { port }: Postgres) => ['-h', dir, '-p', `${port}`, '-U', 'postgres']

/** Runs a program of Postgres. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const options = { ...user, cwd: tmpdir(), env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' } }
  const { stdout } = await promisify(execFile)(join(bin, program), args, options)
  return stdout.trim()
}

async function start(t: Test, dir: string, { data, port }: Postgres): Promise<void> {
  t.teardown(() => run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']).catch(() => {}))
  await run('pg_ctl', [
    '-D',
    data,
    '-w',
    '-t',
    '60',
    '-o',
    `-p ${port}`,
    '-l',
    join(dir, `${port}.log`),
    'start',
  ])
}

const sql = ({ data, port }: Postgres, text: string) =>
  run('psql', [...connection(join(data, '..'), { data, port }), '-d', 'postgres', '-Atqc', text])

/** The plugin as its sidecar runs it; answers its socket. */
async function servedPlugin(t: Test, dir: string, mountPath: string): Promise<string> {
  const options = {
    name,
    version: '0.1.0',
    logger: silentLogger,
    env: {},
    args: ['--plugin-path', dir],
    parameters,
  }
  const plugin = new PluginRuntime(options)
  register(plugin, { image: 'wal-archive:dev', mountPath })
  const ended = plugin.start()
  t.teardown(async () => {
    await plugin.stop()
    await ended
  })
  await until(() => plugin.address !== undefined)
  return join(dir, name)
}

/** Asks the plugin for each file as the manager of an instance does. Answers the paths that it was asked. */
async function startManager(t: Test, dir: string, socket: string): Promise<string[]> {
  const asked: string[] = []
  const caller = new RemoteCaller({ socket })
  const ask = async ({ pathname, searchParams }: URL) => {
    asked.push(pathname)
    const { file = '', name = '', destination = '' } = Object.fromEntries(searchParams)
    const request = { clusterDefinition, parameters: {} }
    if (pathname === '/archive')
      return caller.call(walMethods.archive, {
        ...request,
        sourceFileName: file,
        checkEmptyWalArchive: undefined,
      })
    const mode = Mode.MODE_RECOVERY
    await caller.call(walMethods.restore, {
      ...request,
      sourceWalName: name,
      destinationFileName: destination,
      mode,
    })
    // In a Pod all containers have one user.
    return user.uid === undefined ? undefined : chown(destination, user.uid, user.gid ?? user.uid)
  }
  const server = createServer((request, response) => {
    const answer = (status: number) => response.writeHead(status).end()
    ask(new URL(request.url ?? '', 'http://manager')).then(
      () => answer(200),
      () => answer(500),
    )
  }).listen(join(dir, 'manager'))
  await once(server, 'listening')
  await chmod(join(dir, 'manager'), 0o777)
  t.teardown(() => {
    caller.close()
    server.close()
  })
  return asked
}
