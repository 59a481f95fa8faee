import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The problems of a release of the packages in `root` under a tag such as `v0.1.0`; empty if it may be published. */
export function releaseProblems(root: string, tag: string): string[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const sdk = JSON.parse(read('package.json'))
  const create = JSON.parse(read('packages/create-vcluster-plugin/package.json'))
  const { version } = sdk
  const versions: Readonly<Record<string, unknown>> = {
    'package-lock.json': JSON.parse(read('package-lock.json')).version,
    'packages/create-vcluster-plugin/package.json': create.version,
    'packages/create-vcluster-plugin/package.json, its dependency vcluster-plugin-sdk':
      create.dependencies['vcluster-plugin-sdk'],
    'the tag': tag.replace(/^v/, ''),
  }
  return [
    ...Object.entries(versions)
      .filter(([, found]) => found !== version)
      .map(
        ([where, found]) => `package.json has the version ${version}, and ${where} ${found}: set one version`,
      ),
    ...changelogProblems(read('CHANGELOG.md'), version),
    ...actionProblems(root),
    ...tarballProblems(read('README.md'), version),
    ...(existsSync(join(root, 'scripts/helm-engine/build')) ? [] : ['scripts/helm-engine/build is missing']),
  ]
}

function changelogProblems(text: string, version: string): string[] {
  const heading = `## [${version}] - `
  const line = text.split('\n').find((found) => found.startsWith(heading))
  if (line === undefined)
    return [`CHANGELOG.md has no section "${heading}YYYY-MM-DD": rename "## [Unreleased]" to it`]
  return /^\d{4}-\d{2}-\d{2}$/.test(line.slice(heading.length))
    ? []
    : [`CHANGELOG.md: ${JSON.stringify(line)} must end with a date, YYYY-MM-DD`]
}

/** A tag of an action can be moved, a commit cannot. */
function actionProblems(root: string): string[] {
  const folder = '.github/workflows'
  return readdirSync(join(root, folder)).flatMap((name) => {
    const used = readFileSync(join(root, folder, name), 'utf8').matchAll(/^[ -]*uses: (.+)$/gm)
    return [...used]
      .filter(([, action]) => !/^[^@]+@[0-9a-f]{40} # v[\d.]+$/.test(action ?? ''))
      .map(([, action]) => `${folder}/${name}: ${action} must name a commit, with its version as a comment`)
  })
}

/** The README names the tarball of a clone, with its version. */
function tarballProblems(text: string, version: string): string[] {
  const names = new Set(text.match(/vcluster-plugin-sdk-[\d.]+\d[^/\s]*\.tgz/g))
  const wanted = `vcluster-plugin-sdk-${version}.tgz`
  return [...names]
    .filter((name) => name !== wanted)
    .map((name) => `README.md names ${name}: write ${wanted}`)
}
