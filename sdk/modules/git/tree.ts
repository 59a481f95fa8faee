// The folders of a commit. https://git-scm.com/docs/gitformat-pack
import { GitError } from './git-error.js'
import type { GitObject } from './pack.js'

/** The kind of an entry of a folder. */
export type EntryKind = 'file' | 'folder' | 'link' | 'submodule'

/** An entry of a folder. */
export interface TreeEntry {
  readonly kind: EntryKind
  /** The name of its object. */
  readonly object: string
  /** Its path, below the folder that was asked for. */
  readonly path: string
}

type Objects = ReadonlyMap<string, GitObject>

/** The maximum depth of nested folders. */
const maxLevels = 50
/** The maximum number of entries of all folders on the way to a path. */
const maxEntriesOnPath = 100_000
/** The maximum length of one name, as in the file systems of Linux. */
const maxNameLength = 255

/** The folder of a commit with all files in it. */
export function treeOfCommit(objects: Objects, commit: string): string {
  const commitObject = objectOf(objects, commit, 'commit')
  const [, tree] = /^tree ([0-9a-f]{40})\n/.exec(commitObject.data.toString('latin1', 0, 46)) ?? []
  if (tree === undefined) throw new GitError(`the commit ${commit} is damaged`)
  return tree
}

/** Limits the number of entries that are read. */
export class EntryBudget {
  readonly #limit: number
  #count = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts one entry. Throws a {@link GitError} above the limit. */
  take(): void {
    if (++this.#count > this.#limit)
      throw new GitError(`the folder has more than ${this.#limit} files and folders`)
  }
}

/**
 * The folder at a path. Throws a {@link GitError} if there is none, and if a link or a submodule is on the way to it.
 */
export function folderAt(objects: Objects, root: string, path: string): string {
  let tree = root
  const budget = new EntryBudget(maxEntriesOnPath)
  for (const name of path.split('/').filter((part) => part !== '' && part !== '.')) {
    const entry = entriesOf(objects, tree, budget).find((one) => one.path === name)
    if (!entry) throw new GitError(`the repository has no folder ${JSON.stringify(path)} at this commit`)
    if (entry.kind !== 'folder')
      throw new GitError(
        `${JSON.stringify(path)} leads through a ${entry.kind}, ${name}; name a folder of the repository`,
      )
    tree = entry.object
  }
  return tree
}

/**
 * The files, links and submodules of a folder. Throws if there are more than `maxEntries` entries, folders included.
 * `skips` leaves out entries and everything below them.
 */
export function filesBelow(
  objects: Objects,
  root: string,
  { maxEntries, skips }: { readonly maxEntries: number; skips(path: string, isFolder: boolean): boolean },
): TreeEntry[] {
  const files: TreeEntry[] = []
  // Folders count too: one folder can be in another many times, at every level.
  const budget = new EntryBudget(maxEntries)
  const enter = (tree: string, prefix: string, level: number) => {
    if (level > maxLevels) throw new GitError(`more than ${maxLevels} folders are below each other`)
    for (const entry of entriesOf(objects, tree, budget)) {
      const path = prefix + entry.path
      if (skips(path, entry.kind === 'folder')) continue
      if (entry.kind === 'folder') enter(entry.object, `${path}/`, level + 1)
      else files.push({ ...entry, path })
    }
  }
  enter(root, '', 0)
  return files
}

/**
 * The entries of one folder: each is `<mode> <name>`, a zero, and the 20 bytes of the name of its object. They
 * count before they are read, because an entry is much larger in memory than in a pack.
 */
export function entriesOf(objects: Objects, tree: string, budget: EntryBudget): TreeEntry[] {
  const { data } = objectOf(objects, tree, 'tree')
  const entries: TreeEntry[] = []
  for (let offset = 0; offset < data.length; ) {
    budget.take()
    const end = data.indexOf(0, offset)
    const [, mode, name] =
      /^(\d{5,6}) ([^/]+)$/s.exec(data.toString('utf8', offset, Math.max(end, offset))) ?? []
    if (mode === undefined || name === undefined || end + 21 > data.length || name === '.' || name === '..')
      throw new GitError('a folder of the repository is damaged')
    if (name.length > maxNameLength)
      throw new GitError(`a file name in the repository has more than ${maxNameLength} characters`)
    entries.push({ kind: kindOf(mode), path: name, object: data.toString('hex', end + 1, end + 21) })
    offset = end + 21
  }
  return entries
}

function kindOf(mode: string): EntryKind {
  const kinds: Record<string, EntryKind> = { '04': 'folder', '4': 'folder', '12': 'link', '16': 'submodule' }
  return kinds[mode.slice(0, -4)] ?? 'file'
}

/** The content of a file. */
export function contentOfFile(objects: Objects, { object }: TreeEntry): Buffer {
  return objectOf(objects, object, 'blob').data
}

function objectOf(objects: Objects, name: string, type: GitObject['type']): GitObject {
  const object = objects.get(name)
  if (object?.type === type) return object
  throw new GitError(`the answer lacks the ${type} ${name}`)
}
