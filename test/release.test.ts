// Tests what a release publishes: the check before it, and the package behind `npm create vcluster-plugin`.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { ciFiles } from '../cli/create/templates/ci-files.js'
import { releaseProblems } from '../scripts/release/release-problems.js'
import { packSdk } from './packed-sdk.js'

const workflow = '.github/workflows/release.yml'
const files = [
  ...['package.json', 'package-lock.json', 'README.md', 'CHANGELOG.md', 'scripts/helm-engine/build'],
  workflow,
]
const create = 'packages/create-vcluster-plugin'

/** A copy of the files that a release is checked by, with replaced texts. */
function release(edits: Readonly<Record<string, readonly [from: string, to: string]>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const file of [...files, `${create}/package.json`]) cpSync(file, join(folder, file))
  for (const [file, [from, to]] of Object.entries(edits)) {
    const text = readFileSync(file, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    writeFileSync(join(folder, file), text.replace(from, to))
  }
  return folder
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const dated = { 'CHANGELOG.md': ['## [Unreleased]', `## [${version}] - 2026-12-01`] } as const

void t.test('a release with one version and a dated changelog can be published', async (t) => {
  t.strictSame(releaseProblems(release(dated), `v${version}`), [])
})

void t.test('each thing that a release lacks is named with its cure', async (t) => {
  t.match(releaseProblems('.', `v${version}`), [
    /^CHANGELOG\.md has no section "## \[.*rename "## \[Unreleased\]"/,
  ])
  t.match(releaseProblems(release(dated), 'v9.9.9'), [/and the tag 9\.9\.9: set one version$/])
  const other = {
    ...dated,
    [`${create}/package.json`]: [`"version": "${version}"`, '"version": "0.0.9"'],
  } as const
  t.match(releaseProblems(release(other), `v${version}`), [/create-vcluster-plugin\/package\.json 0\.0\.9/])
  const depends = { ...dated, [`${create}/package.json`]: [`sdk": "${version}"`, 'sdk": "^0.0.9"'] } as const
  t.match(releaseProblems(release(depends), `v${version}`), [/its dependency vcluster-plugin-sdk \^0\.0\.9/])
  const undated = { 'CHANGELOG.md': ['## [Unreleased]', `## [${version}] - soon`] } as const
  t.match(releaseProblems(release(undated), `v${version}`), [/must end with a date/])
  const old = { ...dated, 'README.md': [`-sdk-${version}.tgz`, '-sdk-0.0.9.tgz'] } as const
  t.match(releaseProblems(release(old), `v${version}`), [/names vcluster-plugin-sdk-0\.0\.9\.tgz: write/])
  const [pinned = ''] = /actions\/checkout@.+/.exec(readFileSync(workflow, 'utf8')) ?? []
  const moved = { ...dated, [workflow]: [pinned, 'actions/checkout@v4'] } as const
  t.match(releaseProblems(release(moved), `v${version}`), [/actions\/checkout@v4 must name a commit/])
})

void t.test('the workflow publishes both packages with provenance after the checks', async (t) => {
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'))
  const published = jobs.packages.steps.filter(({ run = '' }) => run.startsWith('npm publish'))
  t.strictSame(
    published.map(({ run, 'working-directory': folder = '.' }: Record<string, string>) => [run, folder]),
    ['.', create].map((folder) => ['npm publish --provenance --access public', folder]),
  )
  t.equal(jobs.packages.permissions['id-token'], 'write')
  for (const job of [jobs.packages, jobs.image]) t.equal(job.needs, 'check')
  t.match(JSON.stringify(jobs.check.steps), /\.ci\/run.*release:check/)
})

void t.test('the image of a release begins with the base images by their digests', async (t) => {
  const { jobs } = parse(readFileSync(workflow, 'utf8'))
  const { run } = jobs.image.steps.at(-1)
  const bases = [...readFileSync('Dockerfile', 'utf8').matchAll(/^ARG (\w+_IMAGE)=(.+)$/gm)]
  t.equal(bases.length, 3)
  for (const [, name, image] of bases) t.match(run, `--build-arg ${name}="$(pin ${image})"`)
})

void t.test(
  'npm create vcluster-plugin writes a project that depends on the published version',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'create-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    const tarball = await packSdk(folder)
    const sdk = join(folder, 'node_modules/vcluster-plugin-sdk')
    mkdirSync(sdk, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: sdk })
    rmSync(tarball)
    for (const name of Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies)) {
      mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true })
      symlinkSync(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name))
    }
    // npm writes it, without the SDK, which is a dependency of the package that it runs.
    writeFileSync(join(folder, 'package.json'), '{}')
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
        cwd: create,
        encoding: 'utf8',
      }),
    )
    t.strictSame(packed.files.map(({ path }: { path: string }) => path).sort(), [
      'LICENSE',
      'README.md',
      'bin/create-vcluster-plugin.js',
      'package.json',
    ])
    const installed = join(folder, 'node_modules/create-vcluster-plugin')
    mkdirSync(installed)
    execFileSync('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1'], { cwd: installed })
    const program = join(installed, 'bin/create-vcluster-plugin.js')
    const said = execFileSync(process.execPath, [program, 'copies', '--kind', 'ConfigMap'], {
      cwd: folder,
      encoding: 'utf8',
    })
    t.match(said, 'cd copies')
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'copies/package.json'), 'utf8'))
    t.equal(dependencies['vcluster-plugin-sdk'], version)
  },
)

void t.test('a created project tests with the actions of this repository, by their commits', async (t) => {
  const actionsOf = (text: string) => [...new Set(text.match(/(?<=uses: ).+/g))].sort()
  const created = ciFiles([])['.github/workflows/ci.yml'] ?? ''
  t.strictSame(actionsOf(created), actionsOf(readFileSync('.github/workflows/ci.yml', 'utf8')))
  t.notMatch(created, /uses: \S+@v/)
})
