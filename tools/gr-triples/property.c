// SPDX-License-Identifier: MIT
/*
 * property.c — words of properties and the units they go with
 */
#include "phrase.h"

#include "text.h"

struct property {
    const char *noun;
    unsigned units;
};

#define P_ANY (unsigned)(P_NUMBER | P_LENGTH | P_SHARE | P_DELTA | P_HEAT | P_FORCE | P_OTHER)
#define P_PLAIN (unsigned)(P_NUMBER | P_OTHER)

/* Sorted by noun; the lists below by word. */
static const struct property properties[] = {
    { "ablation", P_OTHER },
    { "abundance", P_SHARE },
    { "acceleration", P_OTHER },
    { "accumulation", P_OTHER | P_LENGTH },
    { "activity", P_ANY },
    { "age", P_TIME },
    { "albedo", P_NUMBER },
    { "alkalinity", P_SHARE | P_PLAIN },
    { "alpha", P_NUMBER },
    { "altitude", P_LENGTH },
    { "amount", P_SHARE | P_OTHER },
    { "amplitude", P_ANY },
    { "angle", P_PLAIN },
    { "anisotropy", P_SHARE | P_NUMBER },
    { "anomaly", P_ANY | P_CLOCK },
    { "area", P_OTHER },
    { "attenuation", P_PLAIN | P_SHARE },
    { "bathymetry", P_LENGTH },
    { "burial", P_OTHER | P_LENGTH },
    { "capacity", P_OTHER | P_SHARE },
    { "change", P_ANY | P_CLOCK },
    { "circumference", P_LENGTH },
    { "coefficient", P_PLAIN | P_SHARE },
    { "composition", P_SHARE | P_DELTA },
    { "compressibility", P_OTHER },
    { "concentration", P_SHARE | P_OTHER },
    { "condition", P_HEAT | P_FORCE },
    { "conductance", P_OTHER },
    { "conductivity", P_OTHER },
    { "constant", P_PLAIN },
    { "content", P_SHARE | P_OTHER },
    { "contribution", P_SHARE },
    { "conversion", P_SHARE },
    { "cover", P_SHARE },
    { "coverage", P_SHARE },
    { "crystallinity", P_SHARE },
    { "declination", P_PLAIN },
    { "decrease", P_ANY | P_CLOCK },
    { "degree", P_SHARE },
    { "delay", P_TIME | P_CLOCK },
    { "density", P_OTHER },
    { "depth", P_LENGTH | P_OTHER },
    { "diameter", P_LENGTH },
    { "difference", P_ANY | P_CLOCK },
    { "diffusivity", P_OTHER },
    { "dilution", P_SHARE },
    { "dip", P_PLAIN },
    { "discharge", P_OTHER },
    { "displacement", P_LENGTH },
    { "distance", P_LENGTH | P_OTHER },
    { "drop", P_ANY },
    { "duration", P_TIME | P_CLOCK },
    { "efficiency", P_SHARE },
    { "eh", P_OTHER },
    { "elevation", P_LENGTH },
    { "emission", P_OTHER },
    { "energy", P_OTHER },
    { "enhancement", P_ANY },
    { "enrichment", P_ANY },
    { "enthalpy", P_OTHER },
    { "entropy", P_OTHER },
    { "error", P_ANY },
    { "excess", P_ANY },
    { "exchange", P_ANY },
    { "excursion", P_DELTA },
    { "exponent", P_NUMBER },
    { "export", P_OTHER },
    { "extension", P_LENGTH | P_SHARE },
    { "extent", P_LENGTH | P_SHARE | P_OTHER },
    { "factor", P_PLAIN | P_DELTA },
    { "flow", P_OTHER },
    { "fluence", P_OTHER },
    { "flux", P_ANY },
    { "fraction", P_SHARE | P_NUMBER },
    { "fractionation", P_DELTA },
    { "frequency", P_OTHER },
    { "fugacity", P_ANY },
    { "grade", P_SHARE },
    { "gradient", P_ANY },
    { "gravity", P_PLAIN },
    { "hardness", P_ANY },
    { "heat", P_OTHER },
    { "height", P_LENGTH },
    { "humidity", P_SHARE },
    { "inclination", P_PLAIN },
    { "increase", P_ANY | P_CLOCK },
    { "index", P_NUMBER | P_SHARE },
    { "inflow", P_OTHER },
    { "input", P_ANY },
    { "intensity", P_PLAIN },
    { "interval", P_LENGTH | P_TIME | P_CLOCK },
    { "irradiance", P_OTHER },
    { "lag", P_TIME | P_CLOCK },
    { "latitude", P_PLAIN },
    { "length", P_LENGTH },
    { "lifetime", P_TIME | P_CLOCK },
    { "load", P_ANY },
    { "longitude", P_PLAIN },
    { "loss", P_ANY },
    { "magnitude", P_NUMBER },
    { "mass", P_OTHER | P_SHARE },
    { "melting", P_SHARE },
    { "modulus", P_OTHER | P_FORCE },
    { "moisture", P_SHARE },
    { "moment", P_OTHER },
    { "mswd", P_NUMBER },
    { "number", P_NUMBER },
    { "offset", P_ANY },
    { "output", P_ANY },
    { "overpressure", P_FORCE },
    { "paleodepth", P_LENGTH },
    { "paleolatitude", P_PLAIN },
    { "pco2", P_SHARE | P_PLAIN | P_FORCE },
    { "percentage", P_SHARE },
    { "perimeter", P_LENGTH },
    { "period", P_TIME | P_CLOCK },
    { "permeability", P_OTHER },
    { "ph", P_NUMBER },
    { "porosity", P_SHARE | P_NUMBER },
    { "potential", P_OTHER },
    { "power", P_OTHER },
    { "precipitation", P_LENGTH | P_OTHER },
    { "pressure", P_FORCE },
    { "productivity", P_OTHER },
    { "proportion", P_SHARE },
    { "radius", P_LENGTH },
    { "rainfall", P_LENGTH | P_OTHER },
    { "range", P_ANY | P_CLOCK },
    { "rate", P_ANY },
    { "ratio", P_NUMBER | P_SHARE },
    { "recharge", P_OTHER | P_LENGTH },
    { "recovery", P_SHARE },
    { "reduction", P_ANY },
    { "reflectivity", P_SHARE | P_NUMBER },
    { "relief", P_LENGTH },
    { "resistivity", P_OTHER },
    { "rise", P_ANY },
    { "roughness", P_ANY },
    { "runoff", P_LENGTH | P_OTHER },
    { "salinity", P_SHARE | P_DELTA | P_PLAIN },
    { "saturation", P_SHARE },
    { "shift", P_ANY | P_CLOCK },
    { "shortening", P_LENGTH | P_SHARE },
    { "size", P_LENGTH | P_OTHER },
    { "slip", P_LENGTH | P_OTHER },
    { "slope", P_ANY },
    { "solubility", P_ANY },
    { "sorption", P_ANY },
    { "spacing", P_LENGTH },
    { "span", P_LENGTH | P_TIME | P_CLOCK },
    { "speed", P_OTHER },
    { "stiffness", P_OTHER | P_FORCE },
    { "storage", P_OTHER },
    { "strain", P_SHARE },
    { "strength", P_OTHER | P_FORCE },
    { "stress", P_FORCE },
    { "strike", P_PLAIN },
    { "subsidence", P_LENGTH | P_OTHER },
    { "supersaturation", P_NUMBER | P_SHARE },
    { "supply", P_ANY },
    { "susceptibility", P_PLAIN },
    { "temperature", P_HEAT },
    { "tension", P_OTHER },
    { "thickness", P_LENGTH | P_CLOCK },
    { "throw", P_LENGTH },
    { "time", P_TIME | P_CLOCK },
    { "tonnage", P_OTHER },
    { "torsion", P_OTHER },
    { "tortuosity", P_NUMBER },
    { "transmissivity", P_OTHER },
    { "traveltime", P_CLOCK },
    { "turbidity", P_PLAIN },
    { "undercooling", P_HEAT },
    { "uplift", P_LENGTH | P_OTHER },
    { "uptake", P_ANY },
    { "value", P_ANY },
    { "variation", P_ANY | P_CLOCK },
    { "velocity", P_OTHER },
    { "vesicularity", P_SHARE },
    { "viscosity", P_OTHER },
    { "volume", P_OTHER | P_SHARE },
    { "wavelength", P_LENGTH },
    { "weight", P_OTHER | P_SHARE },
    { "width", P_LENGTH },
    { "yield", P_SHARE | P_OTHER },
};

#define WORD_MAX PROPERTY_WORD

static struct sv singular(struct sv word, char buf[WORD_MAX])
{
    size_t n = word.n;
    if (n == 0 || n >= WORD_MAX)
        return SV("");
    for (size_t i = 0; i < n; i++)
        buf[i] = word.p[i] >= 'A' && word.p[i] <= 'Z' ? (char)(word.p[i] | 32) : word.p[i];
    return (struct sv){ buf, text_cut_plural(buf, n) };
}

struct sv property_singular(struct sv word, char buf[PROPERTY_WORD])
{
    return singular(word, buf);
}

unsigned property_units(struct sv noun)
{
    char key[WORD_MAX + 1];
    struct sv word = singular(noun, key);
    size_t lo = 0, hi = word.n ? ARRAY_LEN(properties) : 0;
    key[word.n] = '\0';
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int order = strcmp(key, properties[mid].noun);
        if (order == 0)
            return properties[mid].units;
        if (order > 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return 0;
}

struct pair {
    const char *word, *property;
};

static const char *find_pair(const struct pair *pairs, size_t n, struct sv word)
{
    for (size_t i = 0; i < n; i++)
        if (vocab_word_is(word, pairs[i].word))
            return pairs[i].property;
    return NULL;
}

const char *property_of_adjective(struct sv word)
{
    static const struct pair pairs[] = {
        { "thick", "thickness" }, { "deep", "depth" },     { "wide", "width" },
        { "long", "length" },     { "high", "height" },    { "tall", "height" },
        { "across", "diameter" }, { "thin", "thickness" },
    };
    return find_pair(pairs, ARRAY_LEN(pairs), word);
}

const char *property_of_verb(struct sv word)
{
    static const struct pair pairs[] = {
        { "weighs", "mass" }, { "weigh", "mass" }, { "weighed", "mass" },
        { "dips", "dip" },    { "dip", "dip" },    { "dipping", "dip" },
        { "covers", "area" }, { "cover", "area" }, { "covered", "area" },
    };
    return find_pair(pairs, ARRAY_LEN(pairs), word);
}

static bool is_one_of(struct sv word, struct words *list)
{
    char key[WORD_MAX];
    return words_have(list, singular(word, key));
}

bool property_is_technical(struct sv word)
{
    WORDS(words, "accuracy", "beam", "blank", "calibration", "confidence", "current",
          "detection", "deviation", "error", "fluence", "increment", "instrument", "laser",
          "limit", "noise", "precision", "repetition", "replicate", "reproducibility",
          "resolution", "sampling", "scatter", "spectrometer", "spot", "standard", "step",
          "tolerance", "uncertainty", "voltage");
    return is_one_of(word, &words);
}

bool property_is_empty(struct sv word)
{
    WORDS(words, "average", "estimate", "level", "maximum", "mean", "measurement", "median",
          "minimum", "order", "range", "result", "total", "value");
    return is_one_of(word, &words);
}

bool property_is_laboratory(struct sv word)
{
    WORDS(words, "ablated", "acidified", "added", "annealed", "bubbled", "calibrated",
          "centrifuged", "cleaned", "coated", "combusted", "condensed", "crushed", "cut",
          "decanted", "dehydrated", "digested", "diluted", "dissolved", "dried", "eluted",
          "evaporated", "extracted", "filtered", "fused", "ground", "heated", "held",
          "homogenised", "homogenized", "ignited", "immersed", "incubated", "irradiated",
          "leached", "loaded", "mixed", "mounted", "neutralised", "neutralized", "operated",
          "pipetted", "placed", "polished", "powdered", "precleaned", "purified", "quenched",
          "redissolved", "refluxed", "resuspended", "rinsed", "roasted", "sawn", "sealed",
          "shaken", "sieved", "siphoned", "soaked", "sonicated", "spiked", "sputtered",
          "stirred", "syphoned", "titrated", "transferred", "ultrasonicated", "vortexed",
          "washed", "weighed");
    if (word.n < 3 || (word.p[word.n - 1] | 32) == 's')
        return false;
    return words_have(&words, word);
}
