import type { PluginDesign } from '../kind/plugin-design.js'
import { entrypoint } from './entrypoint.js'

/**
 * The Dockerfile: an image with Node and the bundle that runs without root, an in-syncer image, and a development
 * stage.
 */
export function dockerfile({ name, packages }: PluginDesign): string {
  const tarball = packages['vcluster-plugin-sdk']?.endsWith('.tgz') ? ' *.tgz' : ''
  return `# The plugin's image, as a sidecar of the vcluster, or for vcluster's own container:
#
#   docker build -t ${name}:dev .
#   docker build -t ${name}:in-syncer --target in-syncer .

# Debian's slim image has the C library (glibc) that prebuilt binaries of npm packages need.
ARG NODE_IMAGE=node:24-slim
# The in-syncer image needs a shell and \`cp\`.
ARG COPY_IMAGE=busybox:1.37

# All packages. This stage runs again only if these files change.
FROM \${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json${tarball} ./
RUN npm ci --no-audit --no-fund

# The project with its packages, for development: devspace.yaml runs this stage.
FROM packages AS dev
COPY . .
CMD ["sleep", "infinity"]

# The plugin and its dependencies in one folder.
FROM packages AS bundle
COPY . .
RUN npx vcluster-plugin bundle . /plugin/main.mjs --require-engine --compile-cache 1000

# The same with a Node that depends on nothing in its image, and the program \`plugin\` that vcluster starts.
FROM bundle AS in-syncer-files
RUN npx vcluster-plugin runtime /plugin

# An init container copies /plugin to the folder where vcluster looks for plugins. This image runs only that copy.
FROM \${COPY_IMAGE} AS in-syncer
COPY --from=in-syncer-files /plugin /plugin
USER 1000:1000

# The sidecar image, and the default: Node and the bundle. The plugin writes no files, so the file system may be read-only.
FROM \${NODE_IMAGE} AS sidecar
ENV NODE_ENV=production
# Return large freed buffers to the system at once.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
# The bundle's compiled code, for a faster start. Only root may write it.
ENV NODE_COMPILE_CACHE=/plugin/parts/main/compile-cache
COPY --from=bundle /plugin /plugin
# Numeric, because \`runAsNonRoot\` cannot check a name; 1000 is the base image's user \`node\`.
USER 1000:1000
# Without a shell, so that the plugin receives the SIGTERM of Kubernetes and stops in order. Small semi-spaces cost
# little time and save a third of the memory.
${entrypoint('/plugin/main.mjs')}
`
}
