/**
 * One folder of a git repository at one commit, in memory. Nothing of it is executed or written to a disk, links are
 * not followed and submodules are not fetched. Each object is found by the hash of its content, so the name of the
 * commit determines the whole content.
 */
import { GitError } from './git-error.js'
import { GitServer, type GitServerOptions } from './git-server.js'
import { type GitObject, readPack } from './pack.js'
import {
  contentOfFile,
  EntryBudget,
  type EntryKind,
  entriesOf,
  filesBelow,
  folderAt,
  type TreeEntry,
  treeOfCommit,
} from './tree.js'

/** A file, a link or a submodule in a folder. */
export interface GitFile {
  readonly kind: Exclude<EntryKind, 'folder'>
  readonly path: string
  /** Empty for a submodule; the target of a link. */
  readonly data: Buffer
}

/** A folder at a commit. */
export interface GitLocation {
  readonly repo: string
  /** The full name of the commit. */
  readonly commit: string
  /** The folder, such as `charts/web`; `/` is that of the repository. */
  readonly path: string
}

/** Says which files are not needed, by a file of the folder itself. */
export interface IgnoreFile {
  readonly name: string
  /** Makes the rules of its text; undefined without such a file. */
  rules(text: string | undefined): { ignores(path: string, isFolder: boolean): boolean }
}

/** How a folder is fetched. */
export type GitFolderOptions = Omit<GitServerOptions, 'packLimitBytes'>

const packLimitBytes = 32 * 2 ** 20
const limits = { objects: 100_000, bytes: 64 * 2 ** 20 }
const maxFiles = 10_000

/**
 * The commit that a branch, a tag or a full commit name represents. Rejects with a {@link GitError} if there is none.
 */
export async function resolveCommit(
  repo: string,
  revision: string,
  options: GitFolderOptions,
): Promise<string> {
  const server = await GitServer.connect(repo, { ...options, packLimitBytes })
  const commit = await server.resolve(revision)
  if (commit !== undefined) return commit
  throw new GitError(
    `${repo} has no branch and no tag ${JSON.stringify(revision)}; a commit needs all 40 digits`,
  )
}

/** Fetches the files of a folder that are not ignored, in the order of their names. */
export async function fetchFolder(
  { repo, commit, path }: GitLocation,
  ignoreFile: IgnoreFile,
  options: GitFolderOptions,
): Promise<GitFile[]> {
  const server = await GitServer.connect(repo, { ...options, packLimitBytes })
  const read = async (wanted: readonly string[], withoutFiles: boolean) =>
    readPack(await server.fetch({ wanted, withoutFiles }), limits)
  const objects = await read([commit], server.canFilter)
  const folder = folderAt(objects, treeOfCommit(objects, commit), path)
  /** Fetches the missing files: with a filter, the first answer contains only folders. */
  const addFiles = async (entries: readonly TreeEntry[]) => {
    const missing = entries.filter(({ kind, object }) => kind !== 'submodule' && !objects.has(object))
    const names = [...new Set(missing.map(({ object }) => object))]
    if (names.length > 0) for (const [name, object] of await read(names, false)) objects.set(name, object)
  }
  const ignored = entriesOf(objects, folder, new EntryBudget(maxFiles)).filter(
    ({ path: name, kind }) => name === ignoreFile.name && kind === 'file',
  )
  await addFiles(ignored)
  const text = ignored.map((entry) => contentOfFile(objects, entry).toString('utf8'))[0]
  const rules = ignoreFile.rules(text)
  const skips = (name: string, isFolder: boolean) => rules.ignores(name, isFolder)
  const entries = filesBelow(objects, folder, { maxEntries: maxFiles, skips })
  await addFiles(entries)
  return entries.map((entry) => fileOf(objects, entry))
}

function fileOf(objects: ReadonlyMap<string, GitObject>, entry: TreeEntry): GitFile {
  const { kind, path } = entry
  if (kind === 'folder') throw new GitError(`${path} is a folder`)
  return { kind, path, data: kind === 'submodule' ? Buffer.alloc(0) : contentOfFile(objects, entry) }
}
