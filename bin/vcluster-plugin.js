#!/usr/bin/env node
// This file uses only syntax that old releases of Node can parse, so that they can print the error.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isSupported = major >= 23 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
if (!isSupported) {
  console.error(
    `vcluster-plugin needs Node 20.19, 22.12, 24 or newer; this is ${process.versions.node}. Install one of them and try again.`,
  )
  process.exit(1)
}

// A clone runs its sources, a package its build.
const source = new URL('../cli/main.ts', import.meta.url)
if (existsSync(fileURLToPath(source))) {
  await import('../scripts/load-typescript.mjs')
  await import(source.href)
} else {
  await import('../dist/cli/main.js')
}
