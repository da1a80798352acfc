/** Language data that can be added to the product: packages of the npm scope `@tesseract.js-data`. */
export interface AddableLanguage {
  /** BCP 47 tag. */
  readonly tag: string;
  /** Bytes that npm downloads. */
  readonly bytes: number;
  /** The hash of each package by the name of its data, as in a package-lock.json. */
  readonly packages: Readonly<Record<string, string>>;
}

/** Version of all packages, and the folder of their data: integer weights for LSTM, as those of English. */
export const LANGUAGE_PACKAGES = { scope: '@tesseract.js-data', version: '1.0.0', folder: '4.0.0_best_int' };

/** By the name of Tesseract's data. */
export const ADDABLE_LANGUAGES: Readonly<Record<string, AddableLanguage>> = {
  ara: {
    tag: 'ar',
    bytes: 3_300_000,
    packages: {
      ara: 'sha512-bB60Av6dsv9LRUrlaM6SgnAwjUpdbanw9Jf3mbhDCZAhX7Cp8u7YjI8EWfCvMhH3R2QJT/2EA8cijqPANOhwaA==',
    },
  },
  chi_sim: {
    tag: 'zh-Hans',
    bytes: 21_900_000,
    packages: {
      chi_sim:
        'sha512-iuErURkPbECDUazgsLn/r3c+tU2y5o5S/w14d0A/YiagfsjYyZKgTo75RUpsGJ311qtu0dIX4hqnXAAjmqf2CA==',
    },
  },
  chi_tra: {
    tag: 'zh-Hant',
    bytes: 28_800_000,
    packages: {
      chi_tra:
        'sha512-uz0gqF7ncrJS4UTHGCkPntZXpoyo+mIg0Zs8QhF0TH3uzj2HkJpYmi8u1Pdwt2NW65UWJ51hzILWWy838da5dw==',
    },
  },
  deu: {
    tag: 'de',
    bytes: 8_400_000,
    packages: {
      deu: 'sha512-3ter1p2gFAiCd5CMC+PodZ9YY2UDomkKj+ytlKeeZqOUmhLx1SDnYPf5zog0g5MBbxYveW+8omI3PUflqHfZ4Q==',
    },
  },
  ell: {
    tag: 'el',
    bytes: 4_800_000,
    packages: {
      ell: 'sha512-cCdWHcxHupC9YltWAoscqnw1QAIo4ENgaXNNVXfN+FBvSncnx3lgnNcyRdCvGSi31buwr7vPY156WHu2Yubg4A==',
    },
  },
  fra: {
    tag: 'fr',
    bytes: 7_000_000,
    packages: {
      fra: 'sha512-pp58gMaoyidoBBLd5y5rnf0WW0Y1994QrGqZrYatITqIU/AReUJMykD+YY3JDgvnmgz7uAx1UmhjjuyEmV8JEA==',
    },
  },
  heb: {
    tag: 'he',
    bytes: 2_800_000,
    packages: {
      heb: 'sha512-t70MeqlBqOsf+pINWgG32gaVsXG2LUiOFMMzeJLl+bDEjRK9nXUqF/xzl37xP2IdwZcOsd6BnQRbZDN/8AAWlA==',
    },
  },
  hin: {
    tag: 'hi',
    bytes: 2_800_000,
    packages: {
      hin: 'sha512-MB6WY6g4SAtrs+Xuyz5JDDsLFCykCwIESV7M9KkyxF71bxBqhLa8e7GJi5yGa/Wl6V4nuC7LWX/EMdSyTINTvg==',
    },
  },
  ita: {
    tag: 'it',
    bytes: 8_600_000,
    packages: {
      ita: 'sha512-Sx19NVYve5VAxEBDL6CWTX+evlvzV+iAS5ejJywcHVsmir/C9Tzw2fExoh97QFc06t48tYZA8VrMobsBzMAEhA==',
    },
  },
  jpn: {
    tag: 'ja',
    bytes: 22_300_000,
    packages: {
      jpn: 'sha512-nUq2xHUjiWE6FRqkvLIIbByLZ39B8qNaBSOnVP4XIKGPKtZ1e0hiRnK7WhPfl8A+Fe7aNE1u/QoXXUym3TbSCA==',
      jpn_vert:
        'sha512-xk3ZHTCFODXUH/QVVlOt9lAkis95muL+Fhqe4i6qWxySXuvUp3nDnG8TpzA63YI+RP//lXqbSCBizqvC2fJqoA==',
    },
  },
  kor: {
    tag: 'ko',
    bytes: 8_500_000,
    packages: {
      kor: 'sha512-tepYhsYiRJ8E44R27MHxVteEDDLfYQxuvM6u4JlEHcCYqwpefvI5TGzoMgB67kunOvtyEJYtT5zfJ/6R6FVU9w==',
    },
  },
  nld: {
    tag: 'nl',
    bytes: 13_200_000,
    packages: {
      nld: 'sha512-Fq9TDxewYAw3YBLqLYEu3rziNUHq0F1NnnM49vI0E5o6S2oKcirhTumGvv8ws088+li1llyKXT9nfrHuxxetHQ==',
    },
  },
  pol: {
    tag: 'pl',
    bytes: 11_000_000,
    packages: {
      pol: 'sha512-e9naSi/5kIXIMsymriFMUXJ2XWxRY/09qU9pkmEN28nAeMyF70EYkn4G3iHoB2oF/HNhZpy8lCIe1/I2L/BqKA==',
    },
  },
  por: {
    tag: 'pt',
    bytes: 8_100_000,
    packages: {
      por: 'sha512-sQ7GqYUgKaMmV0vNujYoXLlXUp2e5RGGkJxQ3L59kUOaupIugLJeb1dqhrfgyb71XQw7ltdSuXdQIoaoS/rpsQ==',
    },
  },
  spa: {
    tag: 'es',
    bytes: 10_500_000,
    packages: {
      spa: 'sha512-9Ln+QKq/TNu4Hy4aOp5b4nXo9U0C6IqJMzNDpAJZe/fNtz6jXG9G/hQgR/Irxj+RGf0M7Xy1MNx1yl4wQUIfeg==',
    },
  },
  tur: {
    tag: 'tr',
    bytes: 10_200_000,
    packages: {
      tur: 'sha512-510AUJda8BsgrTchfIIH1uV1wfYp28+PLy74sxSQiHM0sLv9kjbNyooxUCo/R4TOjLQY0fXQ2QWwozWlSlXrkw==',
    },
  },
  ukr: {
    tag: 'uk',
    bytes: 7_300_000,
    packages: {
      ukr: 'sha512-W/i5g9xbyBHJxklEb0mU2iLENBzU9CgXk1LVg82aQ95IaRwNFjY1z5y0vMcydEHQLx/TeawGrHiqlWoyXWCDzA==',
    },
  },
};

/** ISO 15924 codes of the scripts that Tesseract's script detection names, the likeliest first. It names others, too. */
const DETECTED_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Arabic: ['Arab'],
  Cyrillic: ['Cyrl'],
  Devanagari: ['Deva'],
  Greek: ['Grek'],
  Han: ['Hans', 'Hant', 'Jpan'],
  Hangul: ['Kore'],
  Hebrew: ['Hebr'],
  Japanese: ['Jpan', 'Hans', 'Hant'],
  Katakana: ['Jpan'],
  Hiragana: ['Jpan'],
  Korean: ['Kore'],
  Latin: ['Latn'],
  Fraktur: ['Latn'],
  Thai: ['Thai'],
};

/** @param detected name by Tesseract's script detection. @returns ISO 15924 codes; the name itself if it has none */
export function scriptCodes(detected: string): readonly string[] {
  return DETECTED_SCRIPTS[detected] ?? [detected];
}

/** The script of language data, by its name: `Latn` for `deu`. Data of scripts (`script/Cyrillic`) and unknown ones count as themselves. */
export function scriptOfLanguage(name: string): string {
  const { tag = tagOf(name) } = ADDABLE_LANGUAGES[name] ?? {};
  try {
    return new Intl.Locale(tag).maximize().script ?? name;
  } catch {
    return scriptCodes(name.replace(/^script\//, ''))[0] ?? name;
  }
}

/** Names of Tesseract that are no codes of ISO 639. */
function tagOf(name: string): string {
  const language = name.replace(/_vert$/, '');
  if (language === 'chi_sim') return 'zh-Hans';
  if (language === 'chi_tra') return 'zh-Hant';
  return language.replace('_cyrl', '-Cyrl').replace('_latn', '-Latn');
}

/** Language data that can be added for a script. */
export function languagesOfScripts(scripts: readonly string[]): string[] {
  const names = Object.keys(ADDABLE_LANGUAGES);
  return scripts.flatMap((script) => names.filter((name) => scriptOfLanguage(name) === script));
}
