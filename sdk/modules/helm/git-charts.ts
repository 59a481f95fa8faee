// Charts in folders of git repositories.

import { PermanentError } from '../../engine/kube/error.js'
import { trimEndSlashes } from '../../engine/kube/trim-slashes.js'
import type { FileChart } from '../../helm/chart/chart.js'
import { IgnoreRules } from '../../helm/chart/ignore-rules.js'
import { loadChartFiles } from '../../helm/chart/load-chart.js'
import { fetchFolder, type GitFile, type GitFolderOptions, resolveCommit } from '../git/git-folder.js'
import { type AllowList, nameOfUrl } from '../program/allow-list.js'
import { type ChartSource, helmPath } from './helm-spec.js'
import type { IndexedChart } from './index-entries.js'

/** A chart in a git repository. */
export type GitSource = NonNullable<ChartSource['git']>

const ignoreFile = { name: '.helmignore', rules: (text?: string) => new IgnoreRules(text) }
/** The beginning of the pointer files that git LFS stores instead of large files. */
const largeFile = 'version https://git-lfs.github.com/spec/'

/** The commit of a chart. */
export async function chooseCommit(
  { repo, revision }: GitSource,
  options: GitFolderOptions,
): Promise<IndexedChart> {
  checkGitUrl(repo, options.allowList)
  const commit = await resolveCommit(repo, revision, options)
  return { version: commit, url: repo, digest: `sha1:${commit}` }
}

/** Loads the chart of a commit. */
export async function loadCommit(
  { repo, path }: GitSource,
  commit: string,
  options: GitFolderOptions,
): Promise<FileChart> {
  const url = checkGitUrl(repo, options.allowList)
  const folder = trimEndSlashes(path).replace(/^\/+/, '')
  const name = `${nameOfUrl(url)}${folder && `//${folder}`} at ${commit}`
  const files = await fetchFolder({ repo, commit, path }, ignoreFile, options)
  for (const file of files) checkFile(file, name)
  return loadChartFiles(
    files.map(({ path: file, data }) => ({ name: file, data })),
    name,
  )
}

/** Throws for a link, which could lead out of the folder, and for a file whose content is not in the repository. */
function checkFile({ kind, path, data }: GitFile, name: string): void {
  const refuse = (why: string) => {
    throw new Error(`the chart ${name} cannot be used: ${path} ${why}, or name it in .helmignore`)
  }
  if (kind === 'link') refuse('is a link, and links are not followed; put a copy of the file in its place')
  if (kind === 'submodule') refuse('is a submodule, which is not fetched; put its files in its place')
  if (data.toString('latin1', 0, largeFile.length) === largeFile)
    refuse('is in git LFS, which is not fetched; put the file itself into the repository')
}

/** Throws unless git may be read from a URL. */
export function checkGitUrl(repo: string, allowList: AllowList): URL {
  if (/^https?:/i.test(repo)) return allowList.check(repo)
  checkNotSsh(repo)
  throw new PermanentError(
    `${helmPath}.chart.git.repo: git is read by HTTPS, got ${JSON.stringify(repo.slice(0, 200))}; write https://…`,
  )
}

/**
 * Throws a `PermanentError` for a repository by SSH, such as `git@git.example:team/shop.git` or
 * `ssh://git.example/team/shop.git`, that says what to write in its place. `module` names the Module in the message.
 */
export function checkNotSsh(repo: string, module?: string): void {
  const [, host = '', path = ''] =
    /^(?:git\+)?ssh:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(repo) ??
    /^(?:[^@/:]+@)?([^@/:]+):(?!\/\/)(.+)$/.exec(repo) ??
    []
  if (host === '' || path === '') return
  const https = `https://${host}/${path.replace(/^\/+/, '')}`
  throw new PermanentError(
    `${module === undefined ? '' : `Module ${module}: `}${helmPath}.chart.git.repo: git is not read by SSH, got ` +
      `${JSON.stringify(repo.slice(0, 200))}; write ${https.slice(0, 200)} with a token in auth.httpsSecretRef, or push the chart to an OCI ` +
      'registry and name it by chart.repo',
  )
}
