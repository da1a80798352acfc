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

/** How a page is written, by its letters. */
export interface DetectedPage {
  /** ISO 15924 codes of the script, the likeliest first. Empty for too few letters, and for signs of all scripts. */
  readonly scripts: readonly string[];
  /** Whether the script is no guess: of poor prints in Latin script, many are taken for Cyrillic. */
  readonly isSure: boolean;
  /** Clockwise quarter turns that make it upright. */
  readonly quarters: number;
}

/**
 * Of orientation or script, in Tesseract's measure. Printed pages have 12 to 40 for one of them, poor prints that are taken
 * for another script at most 7. Scripts with signs of each other, such as Chinese and Japanese, have the first one only.
 */
const SURE_DETECTION = 10;

/** Tesseract's detection of the orientation and the script of a page. It blocks the event loop for a second. */
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

  /** @param orientation as in EXIF */
  detect(picture: Uint8Array, orientation: number): DetectedPage {
    this.module.FS.writeFile(INPUT, picture);
    const results = new this.module.OSResults();
    if (this.api.SetImageFile(orientation, 0) !== 0 || !this.api.DetectOS(results)) return UNKNOWN;
    this.api.Clear();
    const { orientation_id, oconfidence, script_id, sconfidence } = results.best_result;
    const script = results.unicharset.get_script_from_script_id(script_id);
    const isKnown = script !== NO_SCRIPT && script !== 'NULL';
    return {
      scripts: isKnown ? scriptCodes(script) : [],
      isSure: isKnown && Math.max(oconfidence, sconfidence) >= SURE_DETECTION,
      quarters: (4 - orientation_id) % 4,
    };
  }
}

const UNKNOWN: DetectedPage = { scripts: [], isSure: false, quarters: 0 };
/** Of digits and marks. */
const NO_SCRIPT = 'Common';
