import type { FileContent } from './chart/chart-content.js'
import { contentDigest, type TemplateRecord } from './template-record.js'

/** How a file of a project differs from today's templates. */
export interface TemplateChange {
  path: string
  /**
   * `changed`: only the templates changed it. `added`: a new file of the templates. `conflict`: it was changed here and
   * in the templates. `dropped`: the templates no longer write it.
   */
  change: 'changed' | 'added' | 'conflict' | 'dropped'
}

/**
 * The files of a project that today's templates would write differently, ordered by path. A file that the user deleted
 * stays deleted.
 */
export function compareTemplates(
  recorded: TemplateRecord['files'],
  fresh: Readonly<Record<string, FileContent>>,
  mine: ReadonlyMap<string, FileContent>,
): TemplateChange[] {
  const paths = [...new Set([...Object.keys(recorded), ...Object.keys(fresh)])].sort()
  return paths.flatMap((path): TemplateChange[] => {
    const change = changeOf({ old: recorded[path], fresh: fresh[path], mine: mine.get(path) })
    return change ? [{ path, change }] : []
  })
}

interface Versions {
  /** The digest of what the templates wrote before. */
  old: string | undefined
  fresh: FileContent | undefined
  mine: FileContent | undefined
}

function changeOf({ old, fresh, mine }: Versions): TemplateChange['change'] | undefined {
  if (fresh === undefined) return mine === undefined ? undefined : 'dropped'
  const freshDigest = contentDigest(fresh)
  if (old === freshDigest) return undefined
  if (mine === undefined) return old === undefined ? 'added' : undefined
  const folderDigest = contentDigest(mine)
  if (folderDigest === freshDigest) return undefined
  return folderDigest === old ? 'changed' : 'conflict'
}
