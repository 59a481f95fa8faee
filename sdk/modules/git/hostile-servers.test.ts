// Tests that a server that lies, floods or redirects costs little, and that each of its wrong answers has a sentence.
import type { RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { AllowList } from '../program/allow-list.js'
import { serveHttp } from './git.fixture.js'
import { fetchFolder, type GitFolderOptions, resolveCommit } from './git-folder.js'
import {
  advertisement,
  commitOf,
  contentPacket,
  entryOf,
  fetchAnswer,
  type PackedObject,
  packOf,
  sizeBytes,
  treeOf,
} from './pack.fixture.js'
import { type GitObject, nameOfObject, type PackLimits, readPack } from './pack.js'
import { packet } from './packets.js'
import { folderAt } from './tree.js'

const ignoreFile = { name: '.helmignore', rules: () => ({ ignores: () => false }) }
const limits: PackLimits = { objects: 1_000, bytes: 1_000_000 }
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: Error & { code?: string }) => `${error.code ?? error.name} ${error.message}`,
  )

/** A server that answers the first request well, and others as a test says. */
async function serve(
  t: Test,
  answer: Buffer | RequestListener,
): Promise<{ repo: string; options: GitFolderOptions }> {
  const origin = await serveHttp(t, (request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
      return response.end(advertisement)
    }
    response.setHeader('content-type', 'application/x-git-upload-pack-result')
    if (typeof answer === 'function') return answer(request, response)
    return response.end(answer)
  })
  return { repo: `${origin}/web.git`, options: { allowList: new AllowList({ allow: [origin] }) } }
}

/** The refusal of a fetch of the commit from a server that answers with a pack. */
async function refusedPack(t: Test, objects: readonly GitObject[], commit: GitObject): Promise<string> {
  const { repo, options } = await serve(t, fetchAnswer(packOf(objects)))
  return refusal(fetchFolder({ repo, commit: nameOfObject(commit), path: '/' }, ignoreFile, options))
}

void t.test('a small pack that unpacks to much is refused before it is unpacked', async (t) => {
  const zeros = (size: number): PackedObject => ({ type: 'blob', data: Buffer.alloc(size) })
  const before = process.memoryUsage().arrayBuffers
  t.match(
    await refusal(readPack(packOf([{ ...zeros(10), size: 2 ** 40 }]), limits)),
    /more than 1000000 bytes/,
  )
  t.match(
    await refusal(readPack(packOf([zeros(600_000), zeros(600_000)]), limits)),
    /more than 1000000 bytes/,
  )
  // It says ten bytes, and has a hundred megabytes.
  t.match(await refusal(readPack(packOf([{ ...zeros(100_000_000), size: 10 }]), limits)), /is damaged/)
  t.ok(process.memoryUsage().arrayBuffers - before < 150_000_000)
  t.match(await refusal(readPack(packOf([], 1_001), limits)), /has 1001 objects at this commit; at most 1000/)
})

void t.test('a change that makes much of little is refused before it is made', async (t) => {
  const base: PackedObject = { type: 'blob', data: Buffer.alloc(1_000, 97) }
  const distance = entryOf(base).length
  const change = (size: number, steps: number[]): PackedObject => ({
    type: 'change',
    distance,
    data: Buffer.from([...sizeBytes(1_000), ...sizeBytes(size), ...steps]),
  })
  const copy = [0b1011_0000, 0xe8, 0x03] // 1000 bytes from the beginning
  const good = await readPack(packOf([base, change(2_000, [...copy, ...copy])]), limits)
  t.ok(good.has(nameOfObject({ type: 'blob', data: Buffer.alloc(2_000, 97) })))
  const cases: [PackedObject, RegExp][] = [
    [change(2 ** 40, copy), /more than 1000000 bytes/],
    [change(2_000, copy), /is damaged/],
    [change(500, copy), /is damaged/],
    [change(10, [0b1001_0001, 0xff, 0xff]), /is damaged/],
    [change(10, [0]), /is damaged/],
    [change(10, [11, 1]), /is damaged/],
    [{ ...change(1_000, copy), distance: distance - 1 }, /are damaged/],
    [{ type: 'change', distance, data: Buffer.alloc(20, 255) }, /is damaged/],
  ]
  for (const [wrong, message] of cases)
    t.match(await refusal(readPack(packOf([base, wrong]), limits)), message)
})

void t.test('a pack that was cut or altered is refused', async (t) => {
  const pack = packOf([{ type: 'blob', data: Buffer.from('content') }])
  const wrong = [
    Buffer.alloc(0),
    pack.subarray(0, -1),
    Buffer.concat([pack.subarray(0, -1), Buffer.from([0])]),
    packOf([], 1),
    Buffer.concat([Buffer.from('KCAP'), pack.subarray(4)]),
  ]
  for (const one of wrong) t.match(await refusal(readPack(one, limits)), /^GitError .*damaged/)
})

void t.test('folders in folders in folders are not walked without end', async (t) => {
  const empty: GitObject = { type: 'tree', data: Buffer.alloc(0) }
  const trees = [empty]
  for (let level = 0; level < 40; level++) trees.push(treeOf(['a', 'b', 'c'], '40000', trees.at(-1) ?? empty))
  const commit = commitOf(trees.at(-1) ?? empty)
  const beganMs = process.cpuUsage().user / 1000
  t.match(await refusedPack(t, [...trees, commit], commit), /more than 10000 files and folders/)
  t.ok(process.cpuUsage().user / 1000 - beganMs < 10_000)
  const deep = [empty]
  for (let level = 0; level < 60; level++) deep.push(treeOf(['a'], '40000', deep.at(-1) ?? empty))
  const last = commitOf(deep.at(-1) ?? empty)
  t.match(await refusedPack(t, [...deep, last], last), /more than 50 folders are below each other/)
})

void t.test('a folder of too many files is refused before all of them are read', async (t) => {
  const entry = Buffer.concat([Buffer.from('40000 a\0'), Buffer.alloc(20, 1)])
  const folderOf = (count: number, end: Buffer): GitObject => ({
    type: 'tree',
    data: Buffer.concat([Buffer.alloc(entry.length * count, entry), end]),
  })
  const damaged = folderOf(10_001, Buffer.from('damaged'))
  const commit = commitOf(damaged)
  t.match(await refusedPack(t, [damaged, commit], commit), /more than 10000 files and folders/)
  const large = folderOf(100_000, Buffer.concat([Buffer.from('40000 b\0'), Buffer.alloc(20, 1)]))
  const objects = new Map([['root', large]])
  t.throws(() => folderAt(objects, 'root', 'b'), /more than 100000 files and folders/)
  t.equal(folderAt(objects, 'root', ''), 'root')
})

void t.test('names of files that lead elsewhere are refused', async (t) => {
  const file: GitObject = { type: 'blob', data: Buffer.from('x') }
  for (const name of ['..', '.', 'a/b', '']) {
    const tree = treeOf([name], '100644', file)
    const commit = commitOf(tree)
    t.match(await refusedPack(t, [file, tree, commit], commit), /a folder of the repository is damaged/, name)
  }
  const long = treeOf(['x'.repeat(256)], '100644', file)
  const commit = commitOf(long)
  t.match(
    await refusedPack(t, [file, long, commit], commit),
    /a file name in the repository has more than 255 characters/,
  )
})

void t.test('objects that were not asked for do not count', async (t) => {
  const file: GitObject = { type: 'blob', data: Buffer.from('x') }
  const tree = treeOf(['a'], '100644', file)
  const commit = commitOf(tree)
  const other = commitOf(treeOf(['b'], '100644', file))
  t.match(await refusedPack(t, [file, tree, other], commit), /the answer lacks the commit/)
  t.match(await refusedPack(t, [file, commit], commit), /the answer lacks the tree/)
  t.match(await refusedPack(t, [{ ...file, data: Buffer.from('y') }, tree, commit], commit), /lacks the blob/)
})

void t.test('an endless pack ends at the limit', async (t) => {
  let sent = 0
  const { repo, options } = await serve(t, (_, response) => {
    const part = contentPacket(1, Buffer.alloc(60_000))
    response.write(Buffer.concat([packet('packfile'), part]))
    const more = () => {
      do sent += part.length
      while (response.write(part))
    }
    response.on('drain', more)
    more()
  })
  const place = { repo, commit: 'a'.repeat(40), path: '/' }
  t.match(
    await refusal(fetchFolder(place, ignoreFile, options)),
    /^PROGRAM_TOO_LARGE .*larger than 33554432 bytes/,
  )
  t.ok(sent < 64 * 2 ** 20, `${sent} bytes were sent`)
})

void t.test('an endless list of refs ends at the limit, in both answers', async (t) => {
  const endless: RequestListener = (_, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(60_000, packet(`${'a'.repeat(40)} refs/heads/x`))));
    }
    response.on('drain', more)
    more()
  }
  const origin = await serveHttp(t, (request, response) => {
    response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
    endless(request, response)
  })
  const { repo, options } = await serve(t, endless)
  const allowed = { allowList: new AllowList({ allow: [origin] }) }
  const tooLarge = /^PROGRAM_TOO_LARGE .*larger than 1048576 bytes/
  t.match(await refusal(resolveCommit(`${origin}/web.git`, 'main', allowed)), tooLarge)
  t.match(await refusal(resolveCommit(repo, 'main', options)), tooLarge)
})

void t.test('a commit of too many objects is refused by their number', async (t) => {
  const { repo, options } = await serve(t, fetchAnswer(packOf([], 100_001)))
  const place = { repo, commit: 'a'.repeat(40), path: '/' }
  t.match(
    await refusal(fetchFolder(place, ignoreFile, options)),
    /has 100001 objects at this commit; at most 100000/,
  )
})

void t.test('each wrong answer has a sentence of its own', async (t) => {
  const place = { commit: 'a'.repeat(40), path: '/' }
  const cases: [Buffer, RegExp][] = [
    [
      packet('ERR upload-pack: not our\u001b[31m ref'),
      /^GitError the server refuses: upload-pack: not our \[31m ref$/,
    ],
    [
      Buffer.concat([packet('packfile'), contentPacket(3, Buffer.from('out of memory'))]),
      /refuses: out of memory$/,
    ],
    [Buffer.from('<html>'), /the answer is not one of git/],
    [Buffer.from('ffff'), /the answer is not one of git/],
    [packet('acknowledgments'), /the answer has no objects/],
  ]
  for (const [answer, message] of cases) {
    const { repo, options } = await serve(t, answer)
    t.match(await refusal(fetchFolder({ ...place, repo }, ignoreFile, options)), message)
  }
  const { repo, options } = await serve(t, (_, response) => response.writeHead(500).end())
  t.match(
    await refusal(resolveCommit(repo, 'main', options)),
    /^PROGRAM_UNREACHABLE .*web.git\/git-upload-pack: .*answered 500/,
  )
})

void t.test('the first answer decides whether a server speaks the protocol', async (t) => {
  const answers: Record<string, [Record<string, string>, string | Buffer, number?]> = {
    page: [{ 'content-type': 'text/html' }, '<html></html>'],
    old: [
      { 'content-type': 'application/x-git-upload-pack-advertisement' },
      packet('# service=git-upload-pack'),
    ],
    other: [
      { 'content-type': 'application/x-git-upload-pack-advertisement' },
      Buffer.concat([packet('version 2'), packet('fetch=shallow'), packet('object-format=sha256')]),
    ],
    closed: [{}, '', 401],
    metadata: [{ location: 'http://169.254.169.254/latest/info/refs' }, '', 302],
    off: [{ location: 'https://evil.example/info/refs?token=1' }, '', 302],
    sideways: [{ location: '/elsewhere' }, '', 302],
  }
  const origin = await serveHttp(t, ({ url = '' }, response) => {
    const [headers, body, status = 200] = answers[url.split('/')[1] ?? ''] ?? [
      { 'content-type': 'application/x-git-upload-pack-advertisement' },
      advertisement,
    ]
    response.writeHead(status, headers).end(body)
  })
  const options = { allowList: new AllowList({ allow: [`${origin}/`] }) }
  const cases: Record<string, RegExp> = {
    page: /^GitError .*does not speak git's protocol by HTTP; it answered text\/html$/,
    old: /^GitError the server does not speak version 2/,
    other: /^GitError .*names by sha256, and only sha1 is supported/,
    closed: /^GitError .*answered 401; name a Secret with credentials/,
    metadata:
      /^PROGRAM_NOT_ALLOWED .*redirects to http:\/\/169.254.169.254\/latest\/info\/refs: the URL begins/,
    off: /^PROGRAM_NOT_ALLOWED .*redirects to https:\/\/evil.example\/info\/refs: the URL begins/,
    sideways: /^GitError .*redirects to .*\/elsewhere, which is not a repository/,
  }
  for (const [path, message] of Object.entries(cases))
    t.match(await refusal(resolveCommit(`${origin}/${path}`, 'main', options)), message, path)
})

void t.test('credentials go to the first origin only, and no POST is redirected', async (t) => {
  const seen: unknown[] = []
  const other = await serveHttp(t, ({ method, url = '', headers }, response) => {
    seen.push([method, url.replace(/\?.*/, ''), headers.authorization])
    response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
    if (method === 'GET') response.end(advertisement)
    else response.writeHead(307, { location: '/moved' }).end()
  })
  const front = await serveHttp(t, ({ url = '', headers }, response) => {
    seen.push(['front', headers.authorization])
    response.writeHead(301, { location: other + url }).end()
  })
  const options = { allowList: new AllowList({ allow: [front, other] }), authorization: 'Basic secret' }
  const message = await refusal(resolveCommit(`${front}/web.git`, 'main', options))
  t.match(message, /git-upload-pack redirects to .*\/moved: a POST follows no redirect/)
  t.strictSame(seen, [
    ['front', 'Basic secret'],
    ['GET', '/web.git/info/refs', undefined],
    ['POST', '/web.git/git-upload-pack', undefined],
  ])
})
