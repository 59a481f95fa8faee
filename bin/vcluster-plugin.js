#!/usr/bin/env node
// Written so that a Node far too old still parses it and can say so.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `vcluster-plugin needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  )
  process.exit(1)
}

// A clone runs its sources, a package its build.
const source = new URL('../cli/main.ts', import.meta.url)
if (existsSync(fileURLToPath(source))) {
  const { register } = await import('tsx/esm/api')
  register()
  await import(source.href)
} else {
  await import('../dist/cli/main.js')
}
