// Tests that a folder of a repository is read as git has it: branches, tags, changes of earlier objects, servers with
// and without filters.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { AllowList } from '../program/allow-list.js'
import { type GitTestServer, startGit, withoutGit } from './git.fixture.js'
import { fetchFolder, type IgnoreFile, resolveCommit } from './git-folder.js'

const skip = withoutGit
const ignoreFile: IgnoreFile = {
  name: '.helmignore',
  rules: (text = '') => ({ ignores: (path) => text.split('\n').includes(path) }),
}
const optionsOf = ({ origin }: GitTestServer) => ({ allowList: new AllowList({ allow: [`${origin}/`] }) })
const fetchAt = (server: GitTestServer, commit: string, path = '/') =>
  fetchFolder({ repo: server.url, commit, path }, ignoreFile, optionsOf(server))
const contentsOf = async (...given: Parameters<typeof fetchAt>) =>
  Object.fromEntries((await fetchAt(...given)).map(({ path, data }) => [path, data.toString('latin1')]))

/** Many files that are alike, so that git packs most of them as changes of another one. */
const alike = (count: number): Record<string, string> => {
  const base = randomBytes(6_000).toString('hex')
  const textOf = (at: number) => `${base.slice(0, at * 37)}${at}${base.slice(at * 37)}${'x'.repeat(at)}`
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`many/${at}/file-${at}.txt`, textOf(at)]),
  )
}

void t.test('every file of a commit is what git has, however it is packed', { skip }, async (t) => {
  const server = await startGit(t)
  const { repository } = server
  const files = alike(60)
  const first = repository.commit(files)
  const changed = { ...files, 'many/3/file-3.txt': `${files['many/3/file-3.txt']}more`, 'empty.txt': '' }
  const second = repository.commit(changed)
  repository.git('repack', '-adfq', '--depth=20', '--window=60')
  const [, packed = 0] = /size-pack: (\d+)/.exec(repository.git('count-objects', '-v')) ?? []
  t.ok(Number(packed) < 60, `most files are changes of others: ${packed} KiB instead of 700`)
  for (const filter of ['true', 'false']) {
    repository.git('config', 'uploadpack.allowFilter', filter)
    t.strictSame(await contentsOf(server, first), files)
    t.strictSame(await contentsOf(server, second), changed)
  }
})

void t.test(
  'only the folder is fetched, without ignored files, from a server with filters',
  { skip },
  async (t) => {
    const server = await startGit(t)
    const commit = server.repository.commit({
      'charts/web/Chart.yaml': 'name: web\n',
      'charts/web/.helmignore': 'secret\nnotes.txt',
      'charts/web/secret/large.bin': randomBytes(2 ** 22),
      'charts/web/notes.txt': 'no',
      'charts/web/templates/a.yaml': 'a: 1\n',
      // More than is read of a repository as a whole.
      'other/a.bin': randomBytes(20 * 2 ** 20),
      'other/b.bin': randomBytes(20 * 2 ** 20),
    })
    const expected = ['.helmignore', 'Chart.yaml', 'templates/a.yaml']
    for (const path of ['charts/web', '/charts/web/', './charts//web'])
      t.strictSame(Object.keys(await contentsOf(server, commit, path)), expected)
    server.repository.git('config', 'uploadpack.allowFilter', 'false')
    await t.rejects(contentsOf(server, commit, 'charts/web'), {
      code: 'PROGRAM_TOO_LARGE',
      message: /the content of the repository is larger than 33554432 bytes/,
    })
  },
)

void t.test('a revision is a branch, a tag or a full commit', { skip }, async (t) => {
  const server = await startGit(t)
  const { repository } = server
  const first = repository.commit({ a: '1' })
  repository.git('tag', '-a', 'v1', '-m', 'the first')
  repository.git('tag', 'light')
  repository.git('branch', 'team/next')
  repository.git('tag', 'main', first)
  const second = repository.commit({ a: '2' })
  const resolve = (revision: string) => resolveCommit(server.url, revision, optionsOf(server))
  const cases = {
    main: second,
    'team/next': first,
    v1: first,
    light: first,
    'refs/tags/main': first,
    [first]: first,
  }
  for (const [revision, commit] of Object.entries(cases)) t.equal(await resolve(revision), commit, revision)
  for (const revision of ['next', 'v', first.slice(0, 12), 'HEAD~1'])
    await t.rejects(resolve(revision), {
      message: /has no branch and no tag ".*"; a commit needs all 40 digits/,
    })
  t.strictSame(await contentsOf(server, first), { a: '1' }, 'a commit that no branch has as its last one')
})

void t.test('an unknown commit, folder and repository have their sentences', { skip }, async (t) => {
  const server = await startGit(t)
  const commit = server.repository.commit({ 'charts/web/a': '1', link: { link: 'charts' } })
  await t.rejects(contentsOf(server, 'a'.repeat(40)), {
    name: 'GitError',
    message: /the server refuses: .*not our ref a{40}/,
  })
  const cases: Record<string, RegExp> = {
    'charts/nothing': /the repository has no folder "charts\/nothing" at this commit/,
    'charts/web/a': /"charts\/web\/a" leads through a file, a; name a folder/,
    'link/web': /"link\/web" leads through a link, link; name a folder/,
  }
  for (const [path, message] of Object.entries(cases))
    await t.rejects(contentsOf(server, commit, path), { message }, path)
  const missing = { ...server, url: `${server.origin}/missing.git` }
  await t.rejects(contentsOf(missing, commit), {
    message: /missing.git\/info\/refs: the server answered 404/,
  })
})

void t.test('links and submodules are said, and nothing of them is read', { skip }, async (t) => {
  const server = await startGit(t)
  const { repository } = server
  const inside = repository.commit({ 'web/up': { link: '../../../etc/passwd' }, 'web/a': '1' })
  repository.git('update-index', '--add', '--cacheinfo', `160000,${inside},web/module`)
  repository.git('commit', '-qm', 'a submodule')
  const found = await fetchAt(server, repository.git('rev-parse', 'HEAD'), 'web')
  t.strictSame(
    found.map(({ path, kind, data }) => [path, kind, data.toString()]),
    [
      ['a', 'file', '1'],
      ['module', 'submodule', ''],
      ['up', 'link', '../../../etc/passwd'],
    ],
  )
})
