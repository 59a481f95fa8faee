/** Edits of the Dockerfile and package.json of a project. Nothing that a user wrote is removed. */

/** The files that a program with charts reads when it runs. */
const readAtRunTime = ['watches.yaml', 'charts', 'crds']

/** The Dockerfile, which then copies the files of charts next to the bundle; undefined if `create` did not write it. */
export function withChartFiles(text: string): string | undefined {
  if (text.includes('COPY watches.yaml ')) return text
  const bundleLine = /^COPY --from=bundle \/operator \/operator\n/m
  if (!bundleLine.test(text) || !text.includes('/operator/main.mjs')) return undefined
  const copyLines = readAtRunTime.map((path) => `COPY ${path} /operator/${path}\n`).join('')
  return text
    .replace(bundleLine, (line) => `${line}${copyLines}`)
    .replaceAll(/\/operator\/(main\.mjs|parts\/)/g, '/operator/dist/$1')
}

/** Parts that a package.json should have. */
export interface PackageAdditions {
  readonly dependencies: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
}

/** A package.json with missing dependencies and scripts added; existing ones stay. */
export function withPackageParts(text: string, { dependencies, scripts }: PackageAdditions): string {
  const manifest = JSON.parse(text)
  const isComplete =
    Object.keys(dependencies).every((name) => manifest.dependencies?.[name] !== undefined) &&
    Object.keys(scripts).every((name) => manifest.scripts?.[name] !== undefined)
  if (isComplete) return text
  const allDependencies = { ...dependencies, ...manifest.dependencies }
  const sorted = Object.fromEntries(
    Object.keys(allDependencies)
      .sort()
      .map((name) => [name, allDependencies[name]]),
  )
  const [, indent = '  '] = /^\{\s*\n(\s+)"/.exec(text) ?? []
  const edited = {
    ...manifest,
    scripts: { ...manifest.scripts, ...scripts, ...manifest.scripts },
    dependencies: sorted,
  }
  return `${JSON.stringify(edited, undefined, indent)}\n`
}
