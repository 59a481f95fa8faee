// Tests that the cache gives out programs only with the content of their digest.
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { digestOf } from './digest.js'
import { ProgramCache } from './program-cache.js'

function setUp(t: Test) {
  const folder = join(t.testdir({}), 'cache')
  const program = (text: string) => ({ content: Buffer.from(text), digest: digestOf(Buffer.from(text)) })
  return { folder, cache: new ProgramCache(folder), program }
}

void t.test('a program is found under its digest, read-only, also by the next process', async (t) => {
  const { cache, folder, program } = setUp(t)
  const app = program('export const a = 1')
  t.equal(await cache.find(app.digest), undefined)
  const paths = await Promise.all([cache.put(app), cache.put(app)])
  t.equal(paths[0], paths[1])
  t.equal(await new ProgramCache(folder).find(app.digest), paths[0])
  t.equal(readFileSync(paths[0], 'utf8'), 'export const a = 1')
  t.equal(statSync(paths[0]).mode & 0o777, 0o400)
  t.equal(statSync(folder).mode & 0o777, 0o700)
  t.strictSame(readdirSync(folder), [`${Buffer.from(app.digest.slice(7), 'base64').toString('hex')}.mjs`])
})

void t.test('content with another digest is never written', async (t) => {
  const { cache, folder, program } = setUp(t)
  const mixed = { content: Buffer.from('evil'), digest: program('good').digest }
  await t.rejects(cache.put(mixed), { code: 'DIGEST_MISMATCH' })
  t.notOk(existsSync(folder))
  for (const digest of ['sha256-../../x', `sha512:${'0'.repeat(128)}`])
    await t.rejects(cache.find(digest), { code: 'INVALID_DIGEST' }, digest)
})

void t.test('an altered file is removed, and can be put again', async (t) => {
  const { cache, folder, program } = setUp(t)
  const app = program('good')
  const path = await cache.put(app)
  chmodSync(path, 0o600)
  writeFileSync(path, 'evil')
  t.equal(await cache.find(app.digest), undefined)
  t.notOk(existsSync(path))
  t.equal(await cache.put(app), path)
  t.equal(await cache.find(app.digest), path)
  const elsewhere = join(folder, 'elsewhere')
  writeFileSync(elsewhere, 'good')
  rmSync(path)
  symlinkSync(elsewhere, path)
  t.equal(await cache.find(app.digest), undefined, 'a link is not followed')
  t.strictSame(readdirSync(folder), ['elsewhere'])
})

void t.test('prune keeps what is in use, and files of others', async (t) => {
  const { cache, folder, program } = setUp(t)
  await cache.prune([])
  const [used, unused] = [program('used'), program('unused')]
  const path = await cache.put(used)
  await cache.put(unused)
  writeFileSync(join(folder, 'README'), '')
  writeFileSync(`${path}.left.tmp`, 'us')
  const writing = cache.put(program('new'))
  await cache.prune([used.digest])
  const written = await writing
  t.strictSame(
    readdirSync(folder).filter((file) => file !== basename(written)),
    ['README', basename(path)].sort(),
  )
})

void t.test('a program that is being written is not removed', async (t) => {
  const { cache, folder, program } = setUp(t)
  let isWritten = false
  const writing = cache.put(program('x'.repeat(8 * 1024 * 1024))).finally(() => {
    isWritten = true
  })
  let seen = 0
  while (!isWritten) {
    if (existsSync(folder) && readdirSync(folder).some((file) => file.endsWith('.tmp'))) seen++
    await cache.prune([])
  }
  await writing
  t.ok(seen > 0, 'it was looked at in the middle')
})

void t.test('a folder of another user is not used', { skip: !process.getuid }, async (t) => {
  const { cache, folder, program } = setUp(t)
  const app = program('export const a = 1')
  await cache.put(app)
  const { getuid } = process
  const own = getuid?.() ?? 0
  if (own === 0) chownSync(folder, 12_345, 12_345)
  else process.getuid = () => own + 1
  t.teardown(() => Object.assign(process, { getuid }))
  const refused = { code: 'PROGRAM_NOT_STARTED', message: /belongs to another user/ }
  await t.rejects(cache.put(app), refused)
  await t.rejects(cache.find(app.digest), refused)
})
