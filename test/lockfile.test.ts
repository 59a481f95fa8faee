import { readFileSync } from 'node:fs'
import t from 'tap'

interface LockedPackage {
  optionalDependencies?: Record<string, string>
  resolved?: string
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>
}

void t.test('npm ci works on every platform: the lockfile names the packages of all of them', async (t) => {
  for (const [parent, { optionalDependencies = {} }] of Object.entries(packages)) {
    const missing = Object.keys(optionalDependencies).filter(
      (name) => !packages[`${parent}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    )
    if (parent !== '') t.same(missing, [], `${parent} misses no optional dependency`)
  }
})

void t.test('the lockfile names no download addresses, so that any registry serves it', async (t) => {
  t.same(
    Object.entries(packages).filter(([, { resolved }]) => resolved?.startsWith('http')),
    [],
  )
})
