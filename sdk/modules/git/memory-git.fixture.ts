// A repository in memory behind an HTTP server, for tests with hundreds of requests: git's own programs would take most
// of their processor time. git-folder.test.ts reads repositories of git itself.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { serveHttp } from './git.fixture.js'
import { advertisement, commitOf, fetchAnswer, packOf, treeOf } from './pack.fixture.js'
import { type GitObject, nameOfObject } from './pack.js'
import { flush, packet } from './packets.js'

/** A repository whose commits have one file each. */
export interface MemoryRepository {
  /** The URL of the repository. */
  readonly url: string
  readonly origin: string
  /** Adds a commit with only this file, and moves the branch main to it. Returns the name of the commit. */
  commit(name: string, text: string): string
}

/** Serves a repository without commits until the test ends. */
export async function serveMemoryRepository(t: Test): Promise<MemoryRepository> {
  const commits = new Map<string, readonly GitObject[]>()
  let head = ''
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const type = request.method === 'GET' ? 'advertisement' : 'result'
    response.setHeader('content-type', `application/x-git-upload-pack-${type}`)
    if (request.method === 'GET') {
      response.end(advertisement)
      return
    }
    const [, wanted] = /want ([0-9a-f]{40})\n/.exec(await textOf(request)) ?? []
    response.end(
      wanted === undefined
        ? Buffer.concat([packet(`${head} refs/heads/main`), flush])
        : fetchAnswer(packOf(commits.get(wanted) ?? [])),
    )
  }
  const origin = await serveHttp(t, (request, response) => void answer(request, response))
  const commit = (name: string, text: string) => {
    const file: GitObject = { type: 'blob', data: Buffer.from(text) }
    const tree = treeOf([name], '100644', file)
    const made = commitOf(tree)
    head = nameOfObject(made)
    commits.set(head, [made, tree, file])
    return head
  }
  return { url: `${origin}/web.git`, origin, commit }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}
