export { loadClientConfig } from './client-config.js';
export {
  type Config,
  ConfigError,
  loadConfig,
  loadScaledConfig,
  loadStandaloneConfig,
  misspelledVariables,
} from './config.js';
export { renderEnvExample } from './env-example.js';
export { findChromium } from './find-chromium.js';
