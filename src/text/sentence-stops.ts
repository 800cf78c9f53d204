/**
 * Characters that end a sentence: Latin and other scripts, full width, Hindi, Arabic and Urdu. For a character class.
 */
export const sentenceStops = ".!?…。！？।॥؟۔";
