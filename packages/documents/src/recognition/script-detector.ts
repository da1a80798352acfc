import { createRequire } from 'node:module';
import { scriptCodes } from '../recognized/languages.js';
import { INPUT, loadCore, type TesseractModule } from './tesseract.js';

const require = createRequire(import.meta.url);
/** The detection of scripts needs the build with the older engine. */
const CORE = 'tesseract.js-core/tesseract-core-simd';
const OLDER_ENGINE = 0;

let loaded: Promise<ScriptDetector> | undefined;

/** Loads the detector on first use: it needs 60 MB, and most pages are read with confidence. */
export function openScriptDetector(): Promise<ScriptDetector> {
  return (loaded ??= ScriptDetector.open());
}

/** Tesseract's detection of the script of a page. It blocks the event loop for a second. */
class ScriptDetector {
  private constructor(
    private readonly module: TesseractModule,
    private readonly api: InstanceType<TesseractModule['TessBaseAPI']>,
  ) {}

  static async open(): Promise<ScriptDetector> {
    const osd = require.resolve('@tesseract.js-data/osd/4.0.0_best_int/osd.traineddata.gz');
    const module = await loadCore(CORE, { osd });
    const api = new module.TessBaseAPI();
    if (api.Init(null, 'osd', OLDER_ENGINE) !== 0)
      throw new Error('Tesseract cannot use its data for the detection of scripts');
    return new ScriptDetector(module, api);
  }

  /**
   * @param orientation as in EXIF
   * @returns ISO 15924 codes of the script, the likeliest first. Null for too few letters, and for signs of all scripts
   */
  detect(picture: Uint8Array, orientation: number): readonly string[] | null {
    this.module.FS.writeFile(INPUT, picture);
    if (this.api.SetImageFile(orientation, 0) !== 0) return null;
    const results = new this.module.OSResults();
    const script = this.api.DetectOS(results)
      ? results.unicharset.get_script_from_script_id(results.best_result.script_id)
      : NO_SCRIPT;
    this.api.Clear();
    return script === NO_SCRIPT || script === 'NULL' ? null : scriptCodes(script);
  }
}

/** Of digits and marks. */
const NO_SCRIPT = 'Common';
