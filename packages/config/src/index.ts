export {
  type Config,
  ConfigError,
  loadClientConfig,
  loadConfig,
  loadScaledConfig,
  loadStandaloneConfig,
  misspelledVariables,
  renderEnvExample,
} from './config.js';
export { findChromium } from './find-chromium.js';
