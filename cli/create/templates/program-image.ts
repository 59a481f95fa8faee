import { posix } from 'node:path'
import { entrypoint } from './entrypoint.js'

/**
 * The Dockerfile of an operator or of a plugin without a vcluster: Node and the bundle, which runs without root. The
 * files and folders of `readPaths`, which the program reads, are in the folder above the bundle, as in the project.
 */
export const programDockerfile = (
  programType: 'operator' | 'plugin',
  packages: Readonly<Record<string, string>>,
  readPaths: readonly string[] = [],
) => {
  const main = readPaths.length > 0 ? `/${programType}/dist/main.mjs` : `/${programType}/main.mjs`
  const cache = `${posix.dirname(main)}/parts/main/compile-cache`
  const copies = readPaths.map((path) => `COPY ${path} /${programType}/${path}\n`).join('')
  const tarball = packages['vcluster-plugin-sdk']?.endsWith('.tgz') ? ' *.tgz' : ''
  return `# Debian's slim image has the C library (glibc) that prebuilt binaries of npm packages need.
ARG NODE_IMAGE=node:24-slim

# All packages. This stage runs again only if these files change.
FROM \${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json${tarball} ./
RUN npm ci --no-audit --no-fund

# The ${programType} and its dependencies in one folder.
FROM packages AS bundle
COPY . .
RUN npx vcluster-plugin bundle . ${main} --require-engine --compile-cache 1000

# Node and the bundle. The ${programType} writes no files, so the file system may be read-only.
FROM \${NODE_IMAGE}
ENV NODE_ENV=production
# Return large freed buffers to the system at once.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
# The bundle's compiled code, for a faster start. Only root may write it.
ENV NODE_COMPILE_CACHE=${cache}
COPY --from=bundle /${programType} /${programType}
${copies}# Numeric, because \`runAsNonRoot\` cannot check a name; 1000 is the base image's user \`node\`.
USER 1000:1000
# Without a shell, so that the ${programType} receives the SIGTERM of Kubernetes and stops in order.
${entrypoint(main)}
`
}
